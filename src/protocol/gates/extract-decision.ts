import type { ReviewDecision } from "../../domain/gates/decision.ts";
import {
  boldWord,
  decisionOfWord,
  declaration,
  flagging,
  labelAlone,
  leavesPass,
  openingWord,
  severity,
  wordAlone,
  worseAtEnd,
} from "./decision-words.ts";
import { readCounts } from "./finding-counts.ts";
import { readWithForm } from "./read-findings.ts";
import { splitSections } from "./review-sections.ts";
import { type VisibleLine, visibleLines } from "./visible-lines.ts";

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
  const against = worstOf(new Set([...severities, ...contrary, ...gradesIn(text)]));
  const isContradicted = against !== undefined && ranks.indexOf(against) < ranks.indexOf(decision);
  return isContradicted ? "unknown" : decision;
}

/** Of list items at any depth and of rows, wherever the severity is; a suggested revision may hold any. */
function gradesIn(text: string): readonly ReviewDecision[] {
  const { opening, summary, findings = [], other } = splitSections(text);
  return [opening, summary, findings, other].flatMap((lines) =>
    readWithForm(lines).flatMap(({ finding, isListed, isGraded }) =>
      isListed && isGraded && finding.severity !== "info" ? [finding.severity] : [],
    ),
  );
}

export function readSignals(text: string): DecisionSignals {
  const reader = new DecisionReader(text);
  for (const line of visibleLines(text)) reader.read(line);
  return reader.signals;
}

/** Whatever decides a line is within this many characters. */
const lookAt = 240;
const longestCount = 120;
const lookBack = 24;

/** Names with values, lists and comments; anything else between two lines of dashes belongs to the review. */
const frontMatter = /^---\n(?:(?:[\w-]+:|[ \t#]|-[ \t]|(?=\n)).*\n)*?---\n/u;

class DecisionReader {
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
    this.#bodyStart = frontMatter.exec(text)?.[0].length ?? 0;
  }

  get signals(): DecisionSignals {
    return { declared: this.#declared, severities: this.#severities, contrary: this.#contrary };
  }

  read(line: VisibleLine): void {
    const written = line.text.slice(0, lookAt);
    const isFrontMatter = line.end < this.#bodyStart;
    if (isFrontMatter && !/^\p{L}/u.test(written)) return;
    if (line.isLast && line.text.length <= longestCount) this.#readClosing(line.text);
    this.#add(this.#contrary, worseAtEnd.exec(line.text.slice(-lookBack))?.[1]);
    this.#add(this.#contrary, flagging.exec(written)?.[1]);
    if (written.startsWith("|")) this.#readRow(written);
    else this.#readProse(written);
    this.#isFirst &&= isFrontMatter || written.startsWith("# ");
  }

  /** `No WARN, two INFO.` */
  #readClosing(line: string): void {
    const counted = readCounts(line);
    if (counted !== undefined) this.#declared.add(counted);
  }

  #readProse(written: string): void {
    const awaited = this.#awaitsWord;
    this.#awaitsWord = false;
    this.#column = -1;
    const { content, isHeading } = withoutMarks(written);
    const declares = declaration.exec(content);
    if (declares === null) this.#awaitsWord = labelAlone.test(content);
    else if (declares.groups?.revised !== undefined)
      this.#add(this.#contrary, declares.groups.word);
    else this.#declare(declares, content.slice(declares[0].length));
    const alone = isHeading || awaited ? wordAlone.exec(content) : null;
    if (alone !== null) this.#declareAlone(alone);
    this.#add(this.#contrary, wordAlone.exec(content)?.groups?.word);
    if (alone === null) this.#readFinding(content, content === written.trim());
  }

  /** A pass that something takes back at once is declared, but not as a pass. */
  #declare({ groups = {} }: RegExpExecArray, after: string): void {
    const decision = decisionOfWord(groups.word ?? "");
    if (decision === undefined) return;
    const isTakenBack = decision === "pass" && !leavesPass(groups.before ?? "", after);
    this.#declared.add(isTakenBack ? "unknown" : decision);
  }

  #declareAlone(alone: RegExpExecArray): void {
    const bracket = alone.groups?.bracket;
    this.#declare(alone, bracket === undefined ? "" : `(${bracket})`);
  }

  #readFinding(content: string, isUnlisted: boolean): void {
    const isBold = content.startsWith("**") || content.startsWith("__");
    if (this.#isFirst && isUnlisted) {
      const opening = (isBold ? boldWord : openingWord).exec(content);
      if (opening !== null) {
        this.#declare(opening, content.slice(opening[0].length));
        return;
      }
    }
    const bold = isBold ? boldWord.exec(content)?.groups?.word : undefined;
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
    if (alone !== null) this.#declareAlone(alone);
  }

  #add(signals: Set<ReviewDecision>, word: string | undefined): void {
    const decision = word === undefined ? undefined : decisionOfWord(word);
    if (decision !== undefined) signals.add(decision);
  }
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
