import { proseParagraphs } from "../../domain/episodes/prose.ts";
import { processMarkdown } from "./markdown-processor.ts";

/** An HTML fragment that is safe to show, with a final newline. */
export function renderMarkdown(markdown: string): string {
  const html =
    proseParagraphs(markdown)
      ?.map((paragraph) => `<p>${paragraph}</p>`)
      .join("\n") ?? processMarkdown(markdown);
  return `${html.trimEnd()}\n`;
}

/** A whole page, for files that people open by themselves. */
export function renderMarkdownPage(markdown: string, title: string, language = "en"): string {
  return `<!doctype html>\n<html lang="${escaped(language)}">\n<head>\n<meta charset="utf-8">\n<title>${escaped(title)}</title>\n</head>\n<body>\n${renderMarkdown(markdown)}</body>\n</html>\n`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
