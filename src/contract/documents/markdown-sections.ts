import type { FileError } from "./front-matter.ts";
import { nearestName } from "./nearest-name.ts";

interface Source {
  readonly text: string;
  /** Line of the file at which the text begins, from 1. */
  readonly firstLine: number;
  readonly fileName: string;
  /** Headings of the second level: each must be there once, and no other. */
  readonly titles: readonly string[];
}

export type Sections =
  | { readonly kind: "ok"; readonly texts: readonly string[] }
  | { readonly kind: "errors"; readonly errors: readonly FileError[] };

interface Section {
  readonly title: string;
  readonly line: number;
  readonly text: string;
}

/** The texts under the named headings, in the order of the names. A heading inside a code block is text. */
export function parseSections({ text, firstLine, fileName, titles }: Source): Sections {
  const sections = splitSections(text);
  const errors: FileError[] = [];
  const report = (line: number, field: string, message: string) =>
    errors.push({ file: fileName, line: firstLine + line - 1, field, message });
  for (const { title, line } of sections) {
    if (!titles.includes(title)) {
      const nearest =
        nearestName(title, titles) ??
        titles.find((known) => known.toLowerCase() === title.toLowerCase());
      report(
        line,
        title,
        `is not a known section${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
      );
    }
  }
  const texts = titles.map((title) => {
    const [found, second] = sections.filter((section) => section.title === title);
    if (found === undefined) {
      report(1, title, `the section "## ${title}" is missing`);
    } else if (found.text === "") {
      report(found.line, title, `the section "## ${title}" is empty`);
    }
    if (second !== undefined) {
      report(second.line, title, `the section "## ${title}" stands twice`);
    }
    return found?.text ?? "";
  });
  return errors.length > 0 ? { kind: "errors", errors } : { kind: "ok", texts };
}

const heading = /^ {0,3}##[ \t]+(.*)$/u;
const fence = /^ {0,3}(`{3,}|~{3,})/u;

/** Line by line, because a markdown parser needs quadratic time for some files and only these headings matter. */
function splitSections(text: string): readonly Section[] {
  const sections: { title: string; line: number; lines: string[] }[] = [];
  let open: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const mark = fence.exec(line)?.[1];
    const title = open === undefined ? heading.exec(line)?.[1] : undefined;
    if (mark !== undefined) {
      open = nextFence(open, mark, line);
    }
    if (title === undefined) {
      sections.at(-1)?.lines.push(line);
    } else {
      sections.push({
        title: title.replace(/[ \t]#{1,9}[ \t]*$/u, "").trim(),
        line: at + 1,
        lines: [],
      });
    }
  }
  return sections.map(({ title, line, lines }) => ({ title, line, text: lines.join("\n").trim() }));
}

/** A fence is closed by one of the same kind, at least as long, with nothing behind it. */
function nextFence(open: string | undefined, mark: string, line: string): string | undefined {
  if (open === undefined) {
    return mark;
  }
  return mark.startsWith(open) && line.trim() === mark ? undefined : open;
}
