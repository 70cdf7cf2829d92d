import fc from "fast-check";
import { expect, test } from "vitest";
import { proseParagraphs } from "../../domain/episodes/prose.ts";
import { renderMarkdown, renderMarkdownPage } from "./markdown-html.ts";
import { processMarkdown } from "./markdown-processor.ts";

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

test("plain prose is rendered as the parser would, without it", () => {
  const description = `In "Slow bread" (part 2) Ada – a baker – says: it's 3.5 days' work!\nWhy? 🍞\n\n\nÄhnlich: 00:00 Intro\n`;
  expect(proseParagraphs(description)).toHaveLength(2);
  expect(renderMarkdown(description)).toBe(`${processMarkdown(description)}\n`);
});

/** Words, and what markdown gives a meaning where it stands in the right place. */
const pieces = [
  ..."bread|Ä|é́|🍞|3|12| |  |    |\n|\n\n|\n \n|\t|\r\n|\v|\0|\u00a0|\u2003|\u2028|\ufeff|\ud83c|\x7f|\x85".split(
    "|",
  ),
  ..."-|--|---|+|=|===|:|:-|-:|.|)|(|!|?|,|;|/|%|$|^|{|}|\"|'|#|# |1. |1) |- |+ |> |. |'|…|—".split(
    "|",
  ),
  ..."*|_|**|~|~~|`|```|~~~|&|&amp;|<|>|<b>|<!--|[|]|[a]|[^1]|](b)|![|\\|@|a@b.de|www.b.de|WWW.|http://b.de|://|ftp://b".split(
    "|",
  ),
  "|",
  "| a |\n|---|",
];

test("a text that counts as prose means the same to the parser, whatever it is made of", () => {
  let isProse = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
      const text = parts.join("");
      if (proseParagraphs(text) === undefined) return;
      isProse += 1;
      expect(renderMarkdown(text)).toBe(`${processMarkdown(text).trimEnd()}\n`);
    }),
    { numRuns: 20_000 },
  );
  expect(isProse).toBeGreaterThan(1_000);
});
