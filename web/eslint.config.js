import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  {
    ignores: [
      "node_modules",
      "build",
      "package",
      "generated",
      "src/api/schema.ts",
      "screens",
      "test-results",
    ],
  },
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        projectService: { allowDefaultProject: ["*.js"] },
        extraFileExtensions: [".svelte"],
      },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // A default would hide a new kind of action, happening or news: each switch names all of them.
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        {
          allowDefaultCaseForExhaustiveSwitch: false,
          considerDefaultExhaustiveForUnions: false,
          requireDefaultForNonUnion: true,
        },
      ],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 10],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          "SvelteLiteral[value=/^\\u002f(?!api\\u002f)/]",
          "SvelteMustacheTag > TemplateLiteral > TemplateElement:first-child[value.raw=/^\\u002f(?!api\\u002f)/]",
        ].map((path) => ({
          selector: `SvelteAttribute[key.name="href"] > ${path}`,
          message: "The site may lie below any path: write href={at(...)}, of shell/site.",
        })),
      ],
    },
  },
  {
    // Build scripts and static files: plain JavaScript, without types.
    files: ["**/*.js"],
    ...ts.configs.disableTypeChecked,
    languageOptions: {
      ...ts.configs.disableTypeChecked.languageOptions,
      globals: { ...globals.node, ...globals.browser },
    },
  },
  {
    // A test suite is naturally one long function.
    files: ["tests/**"],
    rules: { "max-lines-per-function": "off" },
  },
);
