/* Sets the theme before anything is drawn, so that nobody sees a flash of the other one. */
(function () {
  var theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem("cartagena.settings") || "{}").theme || "auto";
  } catch {
    /* Storage may be forbidden; then the system decides. */
  }
  if (theme === "auto") theme = matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "plan";
  document.documentElement.dataset.theme = theme;
})();
