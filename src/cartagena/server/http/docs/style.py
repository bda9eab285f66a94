"""How the page about the service looks: ink on an engineer's plan by day, lantern light by night."""

STYLE = """
:root {
  color-scheme: light dark;
  --desk: #e9dcbd; --paper: #fbf5e6; --inset: #f1e6cb; --ink: #24180d; --ink-2: #5a4630; --rule: #d3bf95;
  --act: #7c2019; --read: #14675c; --make: #7a5200; --read-bg: #cfe6de; --make-bg: #fbe3a0; --act-bg: #f0cdbf;
  --focus: #0b4fd8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --desk: #0b0f15; --paper: #141a22; --inset: #0f141b; --ink: #f3e7cd; --ink-2: #c3b491; --rule: #343c47;
    --act: #ffb3a0; --read: #8fe0d0; --make: #ffd98a; --read-bg: #123a37; --make-bg: #46340f;
    --act-bg: #46211a; --focus: #9cc2ff;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--desk); color: var(--ink);
  font: 400 1rem/1.5 "Alegreya Sans", "Segoe UI", system-ui, sans-serif;
}
h1, h2, h3 {
  font-family: "IM Fell English", Georgia, "Times New Roman", serif; font-weight: 400; line-height: 1.2;
}
h1 { font-size: 2.75rem; margin: 0; }
h2 { font-size: 1.9rem; margin: 3rem 0 1rem; text-transform: capitalize; }
h3 { font-size: 1.35rem; margin: 0 0 .5rem; }
h4 {
  font-size: .875rem; letter-spacing: .06em; text-transform: uppercase; color: var(--ink-2);
  margin: 1.25rem 0 .4rem;
}
p { margin: 0 0 .75rem; max-width: 42rem; }
a { color: inherit; text-decoration-color: var(--ink-2); text-underline-offset: .2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
code, pre { font: .875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
pre {
  background: var(--inset); border: 1px solid var(--rule); padding: .75rem 1rem; overflow-x: auto; margin: 0;
}
.quiet { color: var(--ink-2); font-size: .9375rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.sheet {
  display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 2.5rem;
  max-width: 82rem; margin: 0 auto; padding: 2rem;
}
nav {
  position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto;
  font-size: .9375rem;
}
nav h2 { font-size: 1.1rem; margin: 1.25rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
article {
  background: var(--paper); border: 1px solid var(--rule); border-radius: 4px;
  padding: 1.25rem 1.5rem 1.5rem; margin: 0 0 1.25rem;
}
.line {
  display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: baseline;
  margin: 0 0 .75rem; max-width: none; overflow-wrap: anywhere;
}
.line code { font-size: 1rem; }
.method {
  font-weight: 700; font-size: .8125rem; letter-spacing: .05em; border-radius: 4px; padding: .15rem .5rem;
}
.get { color: var(--read); background: var(--read-bg); }
.post, .put, .patch { color: var(--make); background: var(--make-bg); }
.delete { color: var(--act); background: var(--act-bg); }
table { border-collapse: collapse; width: 100%; }
th, td {
  text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--rule);
  overflow-wrap: anywhere;
}
th { font-weight: 400; width: 11rem; }
td p { margin: .15rem 0 0; }
details { margin: .5rem 0 0; }
summary { cursor: pointer; color: var(--ink-2); padding: .25rem 0; }
footer { max-width: 82rem; margin: 0 auto; padding: 0 2rem 3rem; }
@media (max-width: 56rem) {
  .sheet { grid-template-columns: minmax(0, 1fr); gap: 0; padding: 1rem; }
  nav { position: static; max-height: none; border-bottom: 1px solid var(--rule); padding-bottom: 1rem; }
  th { width: 7.5rem; }
  article { padding: 1rem; }
}
@media print { nav { display: none; } .sheet { display: block; } }
"""
"""The one style sheet of the page; it is inline and allowed by its hash."""
