import { parse, type AST } from "svelte/compiler";
import { expect, test } from "vitest";

const COMPONENTS = import.meta.glob<string>("../../src/**/*.svelte", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Whether no part of a selector is the component's own: such a rule dresses every page that comes after it. */
function isLeaking(selector: AST.CSS.ComplexSelector): boolean {
  return selector.children.every(({ selectors }) => {
    const first = selectors[0];
    return first?.type === "PseudoClassSelector" && first.name === "global" && selectors.length === 1;
  });
}

/** The selectors of a style sheet that leak, as they are written. */
function leaksOf(source: string): string[] {
  const { css } = parse(source, { modern: true });
  const written = (selector: AST.CSS.ComplexSelector) => source.slice(selector.start, selector.end);
  const inside = (nodes: readonly (AST.CSS.Rule | AST.CSS.Atrule | AST.CSS.Declaration)[]): string[] =>
    nodes.flatMap((node) => {
      if (node.type === "Atrule") return inside(node.block?.children ?? []);
      return node.type === "Rule" ? node.prelude.children.filter(isLeaking).map(written) : [];
    });
  return inside(css?.children ?? []);
}

test("a rule that names no element of its component is found, also within a query", () => {
  expect(leaksOf("<p></p><style>:global(.way) { top: 0 } p :global(.way) { top: 0 }</style>")).toEqual([
    ":global(.way)",
  ]);
  expect(leaksOf("<style>@media print { :global(.a) :global(.b) { top: 0 } }</style>")).toEqual([
    ":global(.a) :global(.b)",
  ]);
  expect(leaksOf('<p></p><style>:global([data-theme="night"]) p { top: 0 }</style>')).toEqual([]);
});

test("no component dresses the elements of another page", () => {
  const leaks = Object.entries(COMPONENTS).flatMap(([path, source]) =>
    leaksOf(source)
      // On paper a page with a code that is shown once is that code alone.
      .filter((selector) => !selector.startsWith(":global(body:has(.shown-once)"))
      .map((selector) => `${path}: ${selector}`),
  );
  expect(Object.keys(COMPONENTS).length).toBeGreaterThan(100);
  expect(leaks).toEqual([]);
});
