// What eslint holds the scripts to; undefined names, unused ones and types are the affair of `tsc`.

import js from "@eslint/js";

// Who watches the page or listens to more than their own elements must let go of it again: `lifetime.js` sees to that.
const WATCHERS = ["MutationObserver", "ResizeObserver", "IntersectionObserver"].map((name) => ({
  selector: `NewExpression[callee.name=${name}]`,
  message: "Use Lifetime: it lets go when the view is closed.",
}));
const LISTENERS = ["window", "document"].map((name) => ({
  selector: `CallExpression[callee.object.name=${name}][callee.property.name=addEventListener]`,
  message: "Use Lifetime: it lets go when the view is closed.",
}));

// Names and texts are strangers': what is put together while the page runs is text, never markup.
const MARKUP = {
  selector: "AssignmentExpression[left.property.name=innerHTML] > TemplateLiteral[expressions.length>0], " +
    "AssignmentExpression[left.property.name=innerHTML] > BinaryExpression",
  message: "Make elements of it (dom.js): a name could hold markup.",
};

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "no-unused-vars": "off",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-console": "error",
      "no-warning-comments": ["error", { terms: ["todo", "fixme"], location: "anywhere" }],
      "no-inline-comments": "off",
      "object-shorthand": "error",
      "max-lines": ["error", 300],
      "max-params": ["error", 6],
      "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["ui/static/**/*.js"],
    ignores: ["ui/static/lifetime.js"],
    rules: { "no-restricted-syntax": ["error", ...WATCHERS, ...LISTENERS, MARKUP] },
  },
  { ignores: [".venv/", "node_modules/", "**/*.d.ts"] },
];
