import { defined } from "../../domain/values/defined.ts";
import { type FileProblem, type Parsed, problems } from "./file-problem.ts";
import { nearestName } from "./nearest-name.ts";

interface Source {
  readonly text: string;
  /** Line of the file at which the text begins, from 1. */
  readonly firstLine: number;
  readonly file: string;
  /** Headings of the second level: each must be there once, and no other. */
  readonly titles: readonly string[];
}

interface Section {
  readonly title: string;
  readonly line: number;
  readonly text: string;
}

/** The texts under the named headings, in the order of the names. A heading inside a code block is text. */
export function parseSections({
  text,
  firstLine,
  file,
  titles,
}: Source): Parsed<readonly string[]> {
  const sections = splitSections(text);
  const found: FileProblem[] = [];
  const report = (line: number, path: string, message: string, hint?: string) =>
    found.push({ ...{ file, line: firstLine + line - 1, path, message }, ...defined({ hint }) });
  for (const { title, line } of sections) {
    if (titles.includes(title)) continue;
    const nearest = nearestName(title, titles);
    const hint = nearest === undefined ? undefined : `did you mean ${nearest}?`;
    report(line, title, "is not a known section", hint);
  }
  const texts = titles.map((title) => {
    const [first, second] = sections.filter((section) => section.title === title);
    if (first === undefined) report(1, title, `the section "## ${title}" is missing`);
    else if (first.text === "") report(first.line, title, `the section "## ${title}" is empty`);
    if (second !== undefined) report(second.line, title, `there is a second "## ${title}"`);
    return first?.text ?? "";
  });
  return found.length > 0 ? problems(found) : { kind: "parsed", value: texts };
}

const heading = /^ {0,3}##[ \t]+(.*)$/u;
const fence = /^ {0,3}(`{3,}|~{3,})/u;

/** Line by line, because a markdown parser needs quadratic time for some files and only these headings matter. */
function splitSections(text: string): readonly Section[] {
  const sections: { title: string; line: number; lines: string[] }[] = [];
  let open: string | undefined;
  for (const [at, line] of text.split(/\r?\n/u).entries()) {
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
  if (open === undefined) return mark;
  return mark.startsWith(open) && line.trim() === mark ? undefined : open;
}
