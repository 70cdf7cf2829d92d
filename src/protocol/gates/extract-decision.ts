import type { ReviewDecision } from "../../domain/gates/decision.ts";
import {
  boldWord,
  canBe,
  decisionOfWord,
  declaration,
  flagging,
  labelAlone,
  leavesPass,
  openingWord,
  possibleAt,
  severity,
  wordAlone,
} from "./decision-words.ts";
import { readCounts } from "./finding-counts.ts";
import { forEachVisibleLine, type VisibleLine } from "./visible-lines.ts";

/** Everything in a review that indicates a decision. */
export interface DecisionSignals {
  readonly declared: ReadonlySet<ReviewDecision>;
  /** Of the graded findings. */
  readonly severities: ReadonlySet<ReviewDecision>;
  /** Revised results and flags: they declare nothing, but may contradict what is declared. */
  readonly contrary: ReadonlySet<ReviewDecision>;
}

/**
 * The decision of a review from elsewhere. Best effort by design: a review is worth more than its form. What is
 * quoted, fenced, struck or commented out does not count; without a declaration the worst graded finding decides, and
 * a declaration that anything in the review contradicts is `unknown`. One pass over the lines, each looked at up to a
 * fixed length: linear whatever the text.
 */
export function extractDecision(text: string): ReviewDecision {
  const { declared, severities, contrary } = readSignals(text);
  const decision = declared.size === 0 ? worstOf(severities) : onlyOf(declared);
  if (decision === undefined) return "unknown";
  const against = worstOf(new Set([...severities, ...contrary]));
  const isContradicted = against !== undefined && ranks.indexOf(against) < ranks.indexOf(decision);
  return isContradicted ? "unknown" : decision;
}

export function readSignals(text: string): DecisionSignals {
  const reader = new DecisionReader(text);
  forEachVisibleLine(text, (line) => reader.read(line));
  return reader.signals;
}

/** Whatever decides a line is within this many characters. */
const lookAt = 240;
const longestCount = 120;

class DecisionReader {
  readonly #text: string;
  readonly #mayFlag: boolean;
  /** Where the front matter ends; its lines are no opening. */
  readonly #bodyStart: number;
  readonly #contrary = new Set<ReviewDecision>();
  readonly #declared = new Set<ReviewDecision>();
  readonly #severities = new Set<ReviewDecision>();
  /** The previous line was a label that waits for its word. */
  #awaitsWord = false;
  /** Column of a table whose heading is a label. */
  #column = -1;
  #isFirst = true;

  constructor(text: string) {
    this.#text = text;
    this.#mayFlag = text.includes("Flagging ") || text.includes("FLAGGING ");
    this.#bodyStart = text.startsWith("---\n") ? text.indexOf("\n---\n", 3) + 5 : 0;
  }

  get signals(): DecisionSignals {
    return { declared: this.#declared, severities: this.#severities, contrary: this.#contrary };
  }

  read(line: VisibleLine): void {
    const isTable = this.#text.charCodeAt(line.start) === 124;
    const possible = possibleAt(this.#text, line.core);
    if (line.isLast) this.#readClosing(line);
    if (possible === canBe.nothing && !isTable && !this.#mayFlag) {
      this.#forget();
      this.#isFirst &&= this.#comesBeforeOpening(line);
      return;
    }
    const written = this.#slice(line.start, line.end);
    if (this.#mayFlag) this.#add(this.#contrary, flagging.exec(written)?.[1]);
    if (isTable) this.#readRow(written);
    else this.#readProse(written, possible);
    this.#isFirst &&= this.#comesBeforeOpening(line);
  }

  #comesBeforeOpening({ start, end }: VisibleLine): boolean {
    return end < this.#bodyStart || this.#text.startsWith("# ", start);
  }

  /** `No WARN, two INFO.` */
  #readClosing({ start, end }: VisibleLine): void {
    const counted = end - start > longestCount ? undefined : readCounts(this.#slice(start, end));
    if (counted !== undefined) this.#declared.add(counted);
  }

  #forget(): void {
    this.#awaitsWord = false;
    this.#column = -1;
  }

  #readProse(written: string, possible: number): void {
    const awaited = this.#awaitsWord;
    this.#awaitsWord = false;
    this.#column = -1;
    const { content, isHeading } = withoutMarks(written);
    if ((possible & canBe.label) !== 0) {
      const declares = declaration.exec(content);
      if (declares === null) this.#awaitsWord = labelAlone.test(content);
      else if (declares[1] !== undefined) this.#add(this.#contrary, declares[2]);
      else this.#declare(declares[2], content.slice(declares[0].length));
    }
    const alone = isHeading || awaited ? wordAlone.exec(content) : null;
    if (alone !== null) this.#declare(alone[1], bracketOf(alone));
    else if ((possible & canBe.word) !== 0) this.#readFinding(content, content === written.trim());
  }

  /** A pass that something takes back at once is declared, but not as a pass. */
  #declare(word: string | undefined, after: string): void {
    const decision = word === undefined ? undefined : decisionOfWord(word);
    if (decision === undefined) return;
    this.#declared.add(decision === "pass" && !leavesPass(after) ? "unknown" : decision);
  }

  #readFinding(content: string, isUnlisted: boolean): void {
    const isBold = content.startsWith("**") || content.startsWith("__");
    if (this.#isFirst && isUnlisted) {
      const opening = (isBold ? boldWord : openingWord).exec(content);
      if (opening !== null) {
        this.#declare(opening[1], content.slice(opening[0].length));
        return;
      }
    }
    const bold = isBold ? boldWord.exec(content)?.[1] : undefined;
    this.#add(this.#severities, bold ?? severity.exec(content)?.[1]);
  }

  /** `| Result | PASS |`, or a column headed by a label. */
  #readRow(written: string): void {
    const cells = written.split("|").map((cell) => cell.trim());
    const labelled = cells.findIndex((cell) => labelAlone.test(cell));
    if (labelled !== -1) {
      this.#column = labelled;
      this.#readCell(cells[labelled + 1]);
      return;
    }
    if (this.#column !== -1) this.#readCell(cells[this.#column]);
  }

  #readCell(cell = ""): void {
    const alone = wordAlone.exec(cell);
    if (alone !== null) this.#declare(alone[1], bracketOf(alone));
  }

  #add(signals: Set<ReviewDecision>, word: string | undefined): void {
    const decision = word === undefined ? undefined : decisionOfWord(word);
    if (decision !== undefined) signals.add(decision);
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start, Math.min(end, start + lookAt));
  }
}

function bracketOf(alone: RegExpExecArray): string {
  return alone[2] === undefined ? "" : `(${alone[2]})`;
}

/** Takes heading and list marks away; emphasis stays, it may mean something. */
function withoutMarks(written: string): { readonly content: string; readonly isHeading: boolean } {
  const bare = written.trim();
  const mark = /^(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+/.exec(bare);
  if (mark === null) return { content: bare, isHeading: false };
  return { content: bare.slice(mark[0].length), isHeading: bare.startsWith("#") };
}

function onlyOf(signals: ReadonlySet<ReviewDecision>): ReviewDecision {
  const [first, ...others] = signals;
  return first === undefined || others.length > 0 ? "unknown" : first;
}

const ranks: readonly ReviewDecision[] = ["unknown", "error", "fail", "warn", "pass"];

function worstOf(signals: ReadonlySet<ReviewDecision>): ReviewDecision | undefined {
  return ranks.find((decision) => signals.has(decision));
}
