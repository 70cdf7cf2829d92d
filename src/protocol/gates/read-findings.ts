import type { FindingSeverity, NoteFinding } from "../../domain/gates/findings.ts";
import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import { worseAtEnd } from "./decision-words.ts";
import { readCounts } from "./finding-counts.ts";
import { FenceTracker } from "./format.ts";

interface OpenFinding {
  readonly said: string[];
  readonly quoted: string[];
  readonly isListed: boolean;
}

export interface ReadFinding {
  readonly finding: NoteFinding;
  /** A list item, a heading or a row of a table. */
  readonly isListed: boolean;
  /** It names a severity. */
  readonly isGraded: boolean;
}

/**
 * Everything under *Findings* that is not "none" or a zero count. A finding without a severity, or with an
 * unknown one, is a `warn`: it is worse than a pass, and nothing says how much.
 */
export function readFindings(lines: readonly string[]): readonly NoteFinding[] {
  return readWithForm(lines).map(({ finding }) => finding);
}

export function readWithForm(lines: readonly string[]): readonly ReadFinding[] {
  const reader = new FindingReader();
  const fences = new FenceTracker();
  for (const [at, line] of lines.entries())
    reader.read(line, { next: lines[at + 1] ?? "", isCode: fences.isCode(line) });
  return reader.finish();
}

const item = /^\s*(?:(?:[-*+•‣◦]|\d{1,3}[.)]|[a-z][.)]|#{1,6}|\[[ xX]\])\s+)+(.*)$/u;
const tableRule = /^\s*\|?(?:\s*:?-{1,}:?\s*\|)+\s*:?-*:?\s*$/u;
const none =
  /^(?:none|nothing|n\/a|keine|aucune?|ninguno|ninguna|nessuno|nessuna)(?: (?:found|noted|observed|identified|to report))?$/u;

class FindingReader {
  readonly #findings: ReadFinding[] = [];
  #open: OpenFinding | undefined;
  #afterBlank = true;

  read(line: string, about: { readonly next: string; readonly isCode: boolean }): void {
    if (line.trim() === "") {
      this.#afterBlank = true;
      return;
    }
    if (about.isCode) this.#continue(line);
    else if (/^\s*>/u.test(line)) this.#quote(line);
    else if (line.trimStart().startsWith("|")) this.#row(line, about.next);
    else this.#text(line);
    this.#afterBlank = false;
  }

  finish(): readonly ReadFinding[] {
    this.#close();
    return this.#findings;
  }

  #text(line: string): void {
    const listed = item.exec(line)?.[1];
    const isContinued =
      listed === undefined &&
      this.#open !== undefined &&
      (!this.#afterBlank || /^\s{2}/u.test(line));
    if (isContinued) this.#continue(line);
    else this.#start(listed ?? line.trim(), listed !== undefined);
  }

  #continue(line: string): void {
    if (this.#open === undefined) this.#start(line.trim());
    else this.#open.said.push(line);
  }

  #quote(line: string): void {
    const words = line.replace(/^\s*>\s?/u, "");
    if (this.#open === undefined) this.#open = { said: [], quoted: [words], isListed: false };
    else this.#open.quoted.push(words);
  }

  #row(line: string, next: string): void {
    if (tableRule.test(line) || tableRule.test(next)) {
      this.#close();
      return;
    }
    const cells = line
      .trim()
      .replace(/^\||\|$/gu, "")
      .split("|")
      .map((cell) => cell.trim());
    const isGrade = (cell: string) => severityAtStart(`${cell}:`) !== undefined;
    const others = cells.filter((cell) => !isGrade(cell)).join(" — ");
    this.#start([...cells.filter(isGrade), others].join(": "), true);
    this.#close();
  }

  #start(text: string, isListed = false): void {
    this.#close();
    if (!isNone(text)) this.#open = { said: [text], quoted: [], isListed };
  }

  #close(): void {
    if (this.#open !== undefined) this.#findings.push(finish(this.#open));
    this.#open = undefined;
  }
}

const longestNone = 120;

function isNone(text: string): boolean {
  if (text.length > longestNone) return false;
  const bare = text
    .replace(/[✅✔☑]\uFE0F?/gu, "")
    .replace(/^[\s*_`(=–—-]+|[\s*_`).!]+$/gu, "")
    .toLowerCase();
  return bare === "" || none.test(bare) || readCounts(text) === "pass";
}

const words = "(info|ok|pass(?:ed)?|warn(?:ing)?|fail(?:ed|ure)?|error)";
const place = "(?:,?\\s*[([]?lines?\\s+\\d{1,7}(?:\\s*(?:[-–,]|and|to)\\s*\\d{1,7}){0,9}[)\\]]?)?";
const start = new RegExp(
  `^(?:[*_]{0,3}severity[*_]{0,3}\\s*[:=]?[*_]{0,3}\\s*)?([*_[(\`]*)${words}([*_\\])\`]*)${place}\\s*([:—–]|-(?=\\s)|$)?[*_]*\\s*`,
  "iu",
);
const bracketed = new RegExp(
  `(?:[[(]|\\*\\*|__)(?:severity\\s*[:=]\\s*)?${words}(?:[\\])]|\\*\\*|__)`,
  "giu",
);
const labelled = /severity[*_`]*\s*[:=][\s*_`]*(\p{L}+)/giu;

interface StartOfFinding {
  readonly severity: FindingSeverity;
  /** The finding without it. */
  readonly rest: string;
}

/** `warn: …`, `**WARN** …`, `[warn] …`, `Severity: warn`. A word without any mark is a word of a sentence. */
function severityAtStart(text: string): StartOfFinding | undefined {
  const match = start.exec(text);
  const isMarked =
    match !== null && (match[4] !== undefined || (match[1] !== "" && match[3] !== ""));
  if (match === null || !isMarked) return undefined;
  return { severity: gradeOf(match[2] ?? ""), rest: text.slice(match[0].length) };
}

const lineNumber = /(?:^|[(\s])lines?\s+(\d{1,7})\b/iu;

function finish({ said, quoted, isListed }: OpenFinding): ReadFinding {
  const written = foldWhiteSpace(said.join(" "));
  const first = severityAtStart(written);
  const message = first?.rest ?? written;
  const last = first === undefined ? worseAtEnd.exec(message)?.[1] : undefined;
  const severities = [
    ...(first === undefined ? [] : [first.severity]),
    ...gradesWithin(message),
    ...(last === undefined ? [] : [gradeOf(last)]),
  ];
  const isGraded = severities.length > 0;
  const quote = quoted.join("\n").trim();
  const line = lineNumber.exec(written)?.[1];
  const finding = {
    severity: worst(isGraded ? severities : [countedAs(message)]),
    message,
    ...(quote === "" ? {} : { quote }),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
  return { finding, isListed, isGraded };
}

/** The severities a message names beside the one it starts with. */
function gradesWithin(message: string): readonly FindingSeverity[] {
  const again = severityAtStart(message)?.severity;
  const named = [...message.matchAll(bracketed), ...message.matchAll(labelled)].map(([, word]) =>
    gradeOf(word ?? ""),
  );
  return again === undefined ? named : [again, ...named];
}

/** For a text without a severity: a count may still say how bad it is. */
function countedAs(message: string): FindingSeverity {
  return readCounts(message) === "fail" ? "fail" : "warn";
}

/** An unknown severity is worse than a pass, and nothing says how much. */
function gradeOf(written: string): FindingSeverity {
  const word = written.toLowerCase();
  if (word.startsWith("fail")) return "fail";
  if (word === "error") return "error";
  return /^(?:info|ok|pass(?:ed)?)$/u.test(word) ? "info" : "warn";
}

const byWeight: readonly FindingSeverity[] = ["error", "fail", "warn"];

function worst(severities: readonly FindingSeverity[]): FindingSeverity {
  return byWeight.find((severity) => severities.includes(severity)) ?? "info";
}
