import type { ReviewDecision } from "../../domain/gates/decision.ts";
import {
  boldWord,
  canBe,
  decisionOf,
  declaration,
  flagging,
  labelAlone,
  plainWordAt,
  possibleAt,
  severity,
  wordAlone,
} from "./decision-words.ts";
import { forEachVisibleLine, type VisibleLine } from "./visible-lines.ts";

/** Whether a line is the reviewer's own word; what merely repeats the reviewed text decides nothing. */
export type SpeaksForReviewer = (line: string, isLast: boolean, previous: string) => boolean;

/**
 * Best effort by design: a review is worth more than its form. What is quoted, fenced or commented out does not
 * count, a revised result beats the first, and a result that its own findings contradict is `unknown`. One pass
 * over the lines, each looked at up to a fixed length: linear whatever the text.
 */
export function extractDecision(text: string, speaks?: SpeaksForReviewer): ReviewDecision {
  const reader = new DecisionReader(text, speaks);
  forEachVisibleLine(text, (line) => reader.read(line));
  return reader.decide();
}

/** Nothing that decides a line stands further right than this. */
const lookAt = 240;

const [star, colon] = [42, 58];

class DecisionReader {
  readonly #text: string;
  readonly #speaks: SpeaksForReviewer | undefined;
  readonly #mayFlag: boolean;
  readonly #flagged = new Set<ReviewDecision>();
  readonly #revised = new Set<ReviewDecision>();
  readonly #declared = new Set<ReviewDecision>();
  readonly #severities = new Set<ReviewDecision>();
  #boldWeight: "minor" | "major" | undefined;
  /** The previous line was a label that waits for its word. */
  #awaitsWord = false;
  /** Column of a table whose heading is a label. */
  #column = -1;
  #isFirst = true;

  constructor(text: string, speaks: SpeaksForReviewer | undefined) {
    this.#text = text;
    this.#speaks = speaks;
    this.#mayFlag = text.includes("Flagging ") || text.includes("FLAGGING ");
  }

  read(line: VisibleLine): void {
    const isTable = this.#text.charCodeAt(line.start) === 124;
    const possible = possibleAt(this.#text, line.core);
    if (possible === canBe.nothing && !isTable && !this.#mayFlag) {
      this.#forget();
      return;
    }
    if (possible === canBe.word && this.#isPlainFinding(line)) return;
    const written = this.#slice(line.start, line.end);
    if (this.#speaks !== undefined) {
      const previous = this.#slice(line.previousStart, line.previousEnd);
      if (!this.#speaks(written, line.isLast, previous)) return;
    }
    if (this.#mayFlag) this.#readFlagging(written);
    if (isTable) this.#readRow(written);
    else this.#readProse(written, possible);
    this.#isFirst = false;
  }

  decide(): ReviewDecision {
    if (this.#flagged.size > 0) return onlyOf(this.#flagged);
    if (this.#revised.size > 0) return onlyOf(this.#revised);
    const worst = worstOf(this.#severities);
    if (this.#declared.size === 0) return worst ?? "unknown";
    const declared = onlyOf(this.#declared);
    if (worst === undefined || worst === declared) return declared;
    if (declared === "warn" && worst === "pass" && /no violations found/i.test(this.#text))
      return "pass";
    if (declared === "warn" && this.#boldWeight === "minor") return "warn";
    if (declared === "fail" && this.#boldWeight === "major") return "fail";
    return "unknown";
  }

  #forget(): void {
    this.#awaitsWord = false;
    this.#column = -1;
    this.#isFirst = false;
  }

  /** `- warn: …` and `- **warn** …`, as most findings are written: known without copying or matching. */
  #isPlainFinding({ start, core }: VisibleLine): boolean {
    if (this.#speaks !== undefined || this.#mayFlag) return false;
    const isBold = core === start + 4 && this.#text.startsWith("- **", start) && !this.#isFirst;
    if (!isBold && (core !== start + 2 || !this.#text.startsWith("- ", start))) return false;
    const decision = plainWordAt(this.#text, core, isBold ? star : colon);
    if (decision === undefined) return false;
    this.#severities.add(decision);
    this.#forget();
    return true;
  }

  #readProse(written: string, possible: number): void {
    const awaited = this.#awaitsWord;
    this.#awaitsWord = false;
    this.#column = -1;
    const { content, isHeading } = withoutMarks(written);
    if ((possible & canBe.label) !== 0) {
      const declares = declaration.exec(content);
      if (declares === null) this.#awaitsWord = labelAlone.test(content);
      else this.#add(declares[1] === undefined ? this.#declared : this.#revised, declares[2]);
      if (declares !== null || this.#awaitsWord) return;
    }
    const alone = isHeading || awaited ? wordAlone.exec(content) : null;
    if (alone !== null) this.#add(this.#declared, alone[1]);
    else if ((possible & (canBe.word | canBe.weight)) !== 0) this.#readFinding(content);
  }

  #readFinding(content: string): void {
    if (!content.startsWith("**") && !content.startsWith("__")) {
      this.#add(this.#severities, severity.exec(content)?.[1]);
      return;
    }
    const bold = boldWord.exec(content);
    if (bold !== null && this.#isFirst) {
      this.#add(this.#declared, bold[1]);
      return;
    }
    const weight = /^(?:\*\*|__)(minor|moderate|major)\b/i.exec(content)?.[1]?.toLowerCase();
    if (weight !== undefined) this.#boldWeight = weight === "major" ? "major" : "minor";
    this.#add(this.#severities, bold?.[1] ?? severity.exec(content)?.[1]);
  }

  #readFlagging(written: string): void {
    this.#add(this.#flagged, flagging.exec(written)?.[1]);
  }

  /** `| Result | PASS |`, or a column headed by a label. */
  #readRow(written: string): void {
    const cells = written.split("|").map((cell) => cell.trim());
    const labelled = cells.findIndex((cell) => labelAlone.test(cell));
    if (labelled !== -1) {
      this.#column = labelled;
      const word = wordAlone.exec(cells[labelled + 1] ?? "")?.[1];
      this.#add(this.#declared, word);
      return;
    }
    if (this.#column !== -1)
      this.#add(this.#declared, wordAlone.exec(cells[this.#column] ?? "")?.[1]);
  }

  #add(signals: Set<ReviewDecision>, word: string | undefined): void {
    const decision = word === undefined ? undefined : decisionOf(word);
    if (decision !== undefined) signals.add(decision);
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start, Math.min(end, start + lookAt));
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
