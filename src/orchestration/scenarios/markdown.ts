import { linesOf } from "../../domain/values/lines.ts";

/** Untrusted text inside our markdown, quoted line by line so that all of it stays a quotation. */
export function blockquote(text: string): string {
  return linesOf(text)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** Text on one line, with nothing that ends a table's cell. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => oneLine(String(cell))).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${oneLine(line)}`).join("\n");
}

/** Blocks with one empty line between them and a newline at the end; empty blocks are left out. */
export function markdownPage(...blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}
