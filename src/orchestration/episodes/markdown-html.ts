import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/** Nothing but web and mail addresses keeps its target; raw HTML in the source is dropped. */
const schema = {
  ...defaultSchema,
  clobberPrefix: "",
  protocols: {
    ...defaultSchema.protocols,
    href: ["http", "https", "mailto"],
    src: ["http", "https"],
    cite: ["http", "https"],
  },
};

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSanitize, schema)
  .use(rehypeStringify)
  .freeze();

/** An HTML fragment that is safe to show, with a final newline. */
export function renderMarkdown(markdown: string): string {
  return `${String(processor.processSync(markdown)).trimEnd()}\n`;
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
