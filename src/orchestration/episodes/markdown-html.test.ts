import { expect, test } from "vitest";
import { renderMarkdown, renderMarkdownPage } from "./markdown-html.ts";

test("CommonMark and tables are rendered", () => {
  expect(
    renderMarkdown("# Bread\n\n- *slow*\n  - nested\n\n`x` [site](https://example.org/a(b))"),
  ).toBe(
    '<h1>Bread</h1>\n<ul>\n<li><em>slow</em>\n<ul>\n<li>nested</li>\n</ul>\n</li>\n</ul>\n<p><code>x</code> <a href="https://example.org/a(b)">site</a></p>\n',
  );
  expect(renderMarkdown("| a |\n|---|\n| b |")).toContain("<td>b</td>");
});

test.each([
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java&#115;cript:alert(1))",
  "[x](&#x1;javascript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:x)",
  "<javascript:alert(1)>",
  "[x][1]\n\n[1]: javascript:alert(1)",
])("%j loses its target and keeps its label", (markdown) => {
  const html = renderMarkdown(markdown);
  expect(html).not.toMatch(/href|src/);
  expect(html).toMatch(/x|javascript:alert/);
});

test("images and raw HTML cannot carry anything that runs", () => {
  expect(
    renderMarkdown(
      "![x](data:image/svg+xml,a) <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\nend",
    ),
  ).toBe('<p><img alt="x"> </p>\n<p>end</p>\n');
});

test("web, mail and relative links are kept", () => {
  expect(renderMarkdown("[a](https://x.org) [b](mailto:a@x.org) [c](notes/one.md)")).toBe(
    '<p><a href="https://x.org">a</a> <a href="mailto:a@x.org">b</a> <a href="notes/one.md">c</a></p>\n',
  );
});

test("a page escapes its title", () => {
  expect(renderMarkdownPage("Hi", '<b>"&', "de")).toContain(
    '<html lang="de">\n<head>\n<meta charset="utf-8">\n<title>&lt;b&gt;&quot;&amp;</title>',
  );
});
