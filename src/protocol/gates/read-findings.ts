import type { FindingSeverity, NoteFinding } from "../../domain/gates/findings.ts";
import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import { readCounts } from "./finding-counts.ts";
import { FenceTracker } from "./format.ts";

interface OpenFinding {
  readonly said: string[];
  readonly quoted: string[];
}

/**
 * Everything under *Findings* that is not "none" or a zero count. A finding without a severity, or with an
 * unknown one, is a `warn`: it is worse than a pass, and nothing says how much.
 */
export function readFindings(lines: readonly string[]): readonly NoteFinding[] {
  const reader = new FindingReader();
  const fences = new FenceTracker();
  for (const [at, line] of lines.entries())
    reader.read(line, { next: lines[at + 1] ?? "", isCode: fences.isCode(line) });
  return reader.finish();
}

const item = /^ {0,3}(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+(.*)$/u;
const tableRule = /^\s*\|?(?:\s*:?-{1,}:?\s*\|)+\s*:?-*:?\s*$/u;
const none =
  /^(?:none|nothing|n\/a|keine|aucune?|ninguno|ninguna|nessuno|nessuna)(?: (?:found|noted|observed|identified|to report))?$/u;

class FindingReader {
  readonly #findings: NoteFinding[] = [];
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

  finish(): readonly NoteFinding[] {
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
    else this.#start(listed ?? line.trim());
  }

  #continue(line: string): void {
    if (this.#open === undefined) this.#start(line.trim());
    else this.#open.said.push(line);
  }

  #quote(line: string): void {
    const words = line.replace(/^\s*>\s?/u, "");
    if (this.#open === undefined) this.#open = { said: [], quoted: [words] };
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
    const graded = cells.findIndex((cell) => severityAtStart(`${cell}:`) !== undefined);
    const [severity = ""] = cells.splice(Math.max(graded, 0), graded === -1 ? 0 : 1);
    this.#start(graded === -1 ? cells.join(" — ") : `${severity}: ${cells.join(" — ")}`);
    this.#close();
  }

  #start(text: string): void {
    this.#close();
    if (!isNone(text)) this.#open = { said: [text], quoted: [] };
  }

  #close(): void {
    if (this.#open !== undefined) this.#findings.push(finish(this.#open));
    this.#open = undefined;
  }
}

const longestNone = 120;

function isNone(text: string): boolean {
  if (text.length > longestNone) return false;
  const bare = text.replace(/^[\s*_`(–—-]+|[\s*_`).!]+$/gu, "").toLowerCase();
  return bare === "" || none.test(bare) || readCounts(text) === "pass";
}

const words = "(info|ok|pass(?:ed)?|warn(?:ing)?|fail(?:ed|ure)?|error)";
const start = new RegExp(
  `^(?:[*_]{0,3}severity[*_]{0,3}\\s*[:=]?[*_]{0,3}\\s*)?([*_[(\`]*)${words}([*_\\])\`]*)\\s*([:—–]|-(?=\\s)|$)?[*_]*\\s*`,
  "iu",
);
const bracketed = new RegExp(
  `(?:[[(]|\\*\\*|__)(?:severity\\s*[:=]\\s*)?${words}(?:[\\])]|\\*\\*|__)`,
  "giu",
);

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

function finish({ said, quoted }: OpenFinding): NoteFinding {
  const first = severityAtStart(said[0] ?? "");
  const message = foldWhiteSpace([first?.rest ?? said[0] ?? "", ...said.slice(1)].join(" "));
  const named = [...message.matchAll(bracketed)].map(([, word]) => gradeOf(word ?? ""));
  const severities = [...(first === undefined ? [] : [first.severity]), ...named];
  const quote = quoted.join("\n").trim();
  const line = lineNumber.exec(message)?.[1];
  return {
    severity: worst(severities.length === 0 ? [countedAs(message)] : severities),
    message,
    ...(quote === "" ? {} : { quote }),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}

/** For a text without a severity: a count may still say how bad it is. */
function countedAs(message: string): FindingSeverity {
  return readCounts(message) === "fail" ? "fail" : "warn";
}

function gradeOf(written: string): FindingSeverity {
  const word = written.toLowerCase();
  if (word.startsWith("warn")) return "warn";
  if (word.startsWith("fail")) return "fail";
  return word === "error" ? "error" : "info";
}

const byWeight: readonly FindingSeverity[] = ["error", "fail", "warn"];

function worst(severities: readonly FindingSeverity[]): FindingSeverity {
  return byWeight.find((severity) => severities.includes(severity)) ?? "info";
}
