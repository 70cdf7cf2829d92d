import { declaration } from "./decision-words.ts";
import { FenceTracker } from "./format.ts";

/** The lines of a review by what they stand under. A section that occurs twice is continued. */
export interface ReviewSections {
  /** Before the first heading. */
  readonly opening: readonly string[];
  readonly summary: readonly string[];
  /** Absent without such a section; an empty one holds no finding. */
  readonly findings: readonly string[] | undefined;
  readonly revision: readonly string[];
  /** Under any other heading, which is the first of its lines. */
  readonly other: readonly string[];
}

type SectionName = keyof ReviewSections;

interface Heading {
  readonly name: SectionName;
  readonly level: number;
  /** It says no more than the name. */
  readonly isPlain: boolean;
  /** What follows the name: `Findings: none`. */
  readonly rest: string;
}

const longestHeading = 160;

/**
 * The line with the code of the block's result ends a section. Without a code, any line does that is a result and
 * nothing else.
 */
export function splitSections(text: string, code?: string): ReviewSections {
  const lines = text.split("\n").map((line) => line.replace(/\r$/u, ""));
  const fences = new FenceTracker();
  const splitter = new SectionSplitter();
  for (const [at, line] of lines.entries()) {
    if (fences.isCode(line)) splitter.text(line);
    else if (code !== undefined ? line.includes(code) : isResult(line))
      splitter.open({ name: "other", level: 0 });
    else if (!isResult(line)) splitter.read(line, headingAt(line, lines[at + 1] ?? ""));
  }
  return splitter.finish();
}

class SectionSplitter {
  readonly #sections = new Map<SectionName, string[]>();
  #open: SectionName = "opening";
  #level = 0;
  /** A heading that says more than the name; without a text below it is a finding itself. */
  #title: string | undefined;

  text(line: string): void {
    if (line.trim() !== "") this.#title = undefined;
    this.#lines().push(line);
  }

  read(line: string, heading: Heading | undefined): void {
    if (heading === undefined || this.#continues(heading)) {
      this.text(line);
      return;
    }
    this.open(heading);
    if (heading.rest !== "") this.text(heading.rest);
    else if (heading.name === "other") this.text(line);
    else if (heading.name === "findings" && !heading.isPlain) this.#title = line;
  }

  open({ name, level }: Pick<Heading, "name" | "level">): void {
    if (this.#title !== undefined) this.text(this.#title);
    [this.#open, this.#level] = [name, level];
    this.#lines();
  }

  finish(): ReviewSections {
    if (this.#title !== undefined) this.text(this.#title);
    const of = (name: SectionName) => this.#sections.get(name) ?? [];
    return {
      ...{ opening: of("opening"), summary: of("summary"), revision: of("revision") },
      ...{ other: of("other"), findings: this.#sections.get("findings") },
    };
  }

  /** A deeper heading belongs to its section unless it names another; a revision may hold anything. */
  #continues({ name, level, isPlain }: Heading): boolean {
    if (level <= this.#level || this.#open === "opening") return false;
    const keeps = this.#open === "findings" || this.#open === "revision";
    if (level < labelLevel) return !isPlain && (keeps || name !== "findings");
    return keeps ? this.#open === "revision" || name !== "revision" : name === "summary";
  }

  #lines(): string[] {
    const lines = this.#sections.get(this.#open) ?? [];
    this.#sections.set(this.#open, lines);
    return lines;
  }
}

const atx = /^ {0,3}(#{1,6})\s+(\S.*)$/u;
const html = /^ {0,3}<h([1-6])\b[^<>]*>(.*)<\/h/iu;
const emphasised = /^ {0,3}(\*\*|__|\*|_)([^*_]+)\1\s*:?\s*$/u;
const underline = /^ {0,3}(?:=+|-+)\s*$/u;
const names = "summary|findings?|issues?|problems?|concerns?|violations?|suggested revisions?";
const plain = new RegExp(`^(?:${names})$`, "iu");
/** `Findings: none`, and within a list all but a revision, which would hide the items below it. */
const labelLevel = 7;
const label = new RegExp(
  `^ {0,3}(?:(?:[-+*]|\\d{1,3}[.)])\\s+(?!sug))?[*_]{0,3}(${names})[*_]{0,3}\\s*(?::|[–—]|-(?=\\s|$))[*_]{0,3}\\s*(.*)$`,
  "iu",
);

function headingAt(line: string, next: string): Heading | undefined {
  const start = line.slice(0, longestHeading);
  const [, marks, ownLine] = atx.exec(start) ?? [];
  if (marks !== undefined) return headingOf(ownLine ?? "", marks.length);
  const [, depth, inTag] = html.exec(start) ?? [];
  if (depth !== undefined) return headingOf(inTag ?? "", Number(depth));
  const alone = emphasised.exec(start)?.[2] ?? (underline.test(next) ? start : undefined);
  if (alone !== undefined && plain.test(bare(alone))) return headingOf(alone, 6);
  const [, name, rest] = label.exec(line) ?? [];
  return name === undefined ? undefined : { ...headingOf(name, labelLevel), rest: rest ?? "" };
}

function headingOf(title: string, level: number): Heading {
  const [before = "", ...after] = title.split(":");
  const words = bare(before);
  return {
    name: sectionName(words),
    level,
    isPlain: plain.test(title.replace(/^[*_`\s]+|[*_`:\s]+$/gu, "")),
    rest: bare(after.join(":")),
  };
}

function bare(title: string): string {
  return title.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

function sectionName(title: string): SectionName {
  if (/^suggested revision/iu.test(title)) return "revision";
  if (/\b(?:finding|issue|problem|concern|violation)s?\b/iu.test(title)) return "findings";
  return /^summary/iu.test(title) ? "summary" : "other";
}

function isResult(line: string): boolean {
  const content = line.replace(/^ {0,3}(?:#{1,6}\s+)?(?=\S)/u, "");
  const declared = /^\s/u.test(content) ? null : declaration.exec(content);
  return declared !== null && !/\p{L}/u.test(content.slice(declared[0].length));
}
