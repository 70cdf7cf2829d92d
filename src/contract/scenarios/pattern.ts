import { classItem, escapeLiteral } from "./pattern-classes.ts";

export interface PatternProblem {
  /** What cannot be used, in the pattern's own words. */
  readonly construct: string;
  /** Column of the construct, from 1. */
  readonly position: number;
  readonly message: string;
}

/** A Python-flavoured pattern in the syntax of the linear-time engine. */
export interface TranslatedPattern {
  readonly source: string;
  /** The text must be given through `markBoundaries` first. */
  readonly marked: boolean;
}

export type Translation =
  | { readonly kind: "translated"; readonly pattern: TranslatedPattern }
  | { readonly kind: "problem"; readonly problem: PatternProblem };

/** Marks every word boundary of a marked text; the same character in the original text is replaced first. */
const MARK = "\uE000";
const MARK_SOURCE = "\\x{E000}";
/** Several boundaries of a pattern may fall on one place of the text. */
const MARKS = MARK.repeat(4);
const MAX_REPEAT = 1000;

/**
 * The engine knows ASCII word boundaries only and has no lookahead. So boundaries are written into the text, and
 * every other atom of the pattern may step over them: exact for every script, and still linear.
 */
export function markBoundaries(text: string): string {
  return text
    .replaceAll(MARK, "\uFFFD")
    .replace(/[\p{L}\p{N}_]+/gu, (word) => `${MARKS}${word}${MARKS}`);
}

/** `with-values`: an assistant's words were put into the pattern, so a boundary may be next to any character. */
export function translatePattern(
  pattern: string,
  form: "as-written" | "with-values" = "as-written",
): Translation {
  const marked = /(?:^|[^\\])(?:\\\\)*\\b/.test(pattern);
  const scanner = new Scanner(pattern, marked, form === "as-written");
  try {
    return { kind: "translated", pattern: { source: scanner.run(), marked } };
  } catch (error) {
    if (error instanceof Unsupported) return { kind: "problem", problem: error.problem };
    throw error;
  }
}

class Unsupported extends Error {
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

class Scanner {
  private readonly text: string;
  private readonly marked: boolean;
  private readonly strict: boolean;
  private at = 0;
  private out = "";
  private depth: number[] = [];
  private multiline = false;
  private dotAll = false;
  /** Something a quantifier may follow. */
  private quantifiable = false;
  private afterQuantifier = false;

  constructor(text: string, marked: boolean, strict: boolean) {
    this.text = text;
    this.marked = marked;
    this.strict = strict;
  }

  run(): string {
    this.multiline = /^\(\?[a-z]*m[a-z]*\)/.test(this.text);
    this.dotAll = /^\(\?[a-z]*s[a-z]*\)/.test(this.text);
    while (this.at < this.text.length) {
      this.next();
    }
    const open = this.depth.at(-1);
    if (open !== undefined) this.fail("(", open, "the group is not closed");
    return this.out;
  }

  private next(): void {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    const isRepeat = character === "{" && this.repeat() !== undefined;
    if (character === "\\") this.escape();
    else if (character === "[") this.characterClass();
    else if (character === "(") this.group();
    else if (character === ")") this.closeGroup();
    else if ("*+?".includes(character) || isRepeat) this.quantifier();
    else this.plain(character);
  }

  private plain(character: string): void {
    this.at += character.length;
    if (character === "|" || character === "^") {
      this.glue(character);
    } else if (character === "$") {
      this.glue(`${this.skip()}${this.multiline ? "$" : "(?:\\n?\\z)"}`);
    } else if (character === ".") {
      this.atom(this.marked ? `[^${MARK_SOURCE}${this.dotAll ? "" : "\\n"}]` : ".");
    } else {
      this.atom(escapeLiteral(character));
    }
  }

  private group(): void {
    const start = this.at;
    const rest = this.text.slice(start);
    this.refuseGroups(rest, start);
    const comment = /^\(\?#[^)]*\)/.exec(rest);
    const flags = /^\(\?([a-zA-Z]*)(?:-([a-z]+))?([:)])/.exec(rest);
    const named = /^\(\?P?<\p{L}[\p{L}\p{N}_]*>/u.exec(rest);
    if (comment !== null) this.at += comment[0].length;
    else if (flags !== null) this.flags(flags, start);
    else if (named !== null) this.open(named[0].length);
    else if (rest.startsWith("(?")) this.fail(rest.slice(0, 3), start, "this group is not known");
    else this.open(1);
  }

  private refuseGroups(rest: string, start: number): void {
    const lookaround = /^\(\?<?[=!]/.exec(rest);
    if (lookaround !== null) this.fail(lookaround[0], start, "lookaround is not supported");
    if (rest.startsWith("(?P=") || rest.startsWith("(?(")) {
      this.fail(rest.slice(0, 4), start, "backreferences are not supported");
    }
    if (rest.startsWith("(?>")) this.fail("(?>", start, "atomic groups are not supported");
  }

  private flags(match: RegExpExecArray, start: number): void {
    const [whole, on = "", off = "", end] = match;
    const refused = [...on, ...off].find((flag) => !"imsu".includes(flag));
    if (refused !== undefined) {
      this.fail(`(?${refused})`, start, "only the flags i, m and s are supported");
    }
    if (end === ")" && start > 0) {
      this.fail(whole, start, "flags for the whole pattern must be at its start");
    }
    if (end === ":" && /[ms]/.test(on + off) && this.marked) {
      this.fail(whole, start, "m and s inside a pattern with \\b must be at its start");
    }
    const kept = on.replaceAll("u", "");
    const minus = off === "" ? "" : `-${off}`;
    if (end === ":") {
      this.out += `(?${kept}${minus}:`;
      this.depth.push(start);
    } else if (kept !== "") {
      this.out += `(?${kept})`;
    }
    this.at += whole.length;
    this.glue("");
  }

  private open(length: number): void {
    this.depth.push(this.at);
    this.at += length;
    this.glue("(?:");
  }

  private closeGroup(): void {
    if (this.depth.pop() === undefined) this.fail(")", this.at, "nothing is open here");
    this.at += 1;
    this.glue(")");
    this.quantifiable = true;
  }

  private repeat(): RegExpExecArray | undefined {
    return /^\{(\d*)(,?)(\d*)\}/.exec(this.text.slice(this.at)) ?? undefined;
  }

  private quantifier(): void {
    const start = this.at;
    const counted = this.text[start] === "{" ? this.repeat() : undefined;
    if (counted !== undefined && counted[1] === "" && counted[3] === "") {
      this.plain("{");
      return;
    }
    const written = counted?.[0] ?? this.text[start] ?? "";
    if (this.afterQuantifier || !this.quantifiable) {
      this.fail(written, start, this.afterQuantifier ? "multiple repeat" : "nothing to repeat");
    }
    this.at += written.length;
    const lazy = this.text[this.at] === "?" ? "?" : "";
    if (this.text[this.at] === "+") {
      this.fail(`${written}+`, start, "possessive quantifiers are not supported");
    }
    this.at += lazy.length;
    this.out += `${counted === undefined ? written : this.counted(counted, start)}${lazy}`;
    this.afterQuantifier = true;
  }

  private counted([written, from = "", comma, to = ""]: RegExpExecArray, start: number): string {
    const low = Number(from === "" ? "0" : from);
    const high = to === "" ? low : Number(to);
    if (low > MAX_REPEAT || high > MAX_REPEAT) {
      this.fail(written, start, `a repeat of at most ${MAX_REPEAT} is supported`);
    }
    if (high < low) this.fail(written, start, "the smaller number comes first");
    return comma === "" ? `{${low}}` : `{${low},${to}}`;
  }

  private escape(): void {
    const start = this.at;
    const letter = String.fromCodePoint(this.text.codePointAt(start + 1) ?? 0);
    if (start + 1 >= this.text.length) this.fail("\\", start, "the pattern ends with a backslash");
    if (/[1-9]/.test(letter)) this.fail(`\\${letter}`, start, "backreferences are not supported");
    if (letter === "b") {
      this.boundary(start);
      return;
    }
    if (letter === "A" || letter === "Z") {
      this.at += 2;
      this.glue(letter === "A" ? "\\A" : `${this.skip()}\\z`);
      return;
    }
    const item = classItem(this.text, start);
    if (item === undefined) this.fail(`\\${letter}`, start, "this escape is not supported");
    this.at += item.length;
    this.atom(item.negated ? `[^${item.set}${this.marked ? MARK_SOURCE : ""}]` : `[${item.set}]`);
  }

  private boundary(start: number): void {
    const before = this.text
      .slice(0, start)
      .replace(/(?:[)*+?(|]|\(\?[a-zP<>:]*|\{\d*,?\d*\})+$/u, "");
    const after = this.text.slice(start + 2).replace(/^(?:\(\?[a-z]*:|\(\?P?<\w+>|[()|])+/u, "");
    const touchesWord =
      /(?:[\p{L}\p{N}_]|\\[wd]|\])$/u.test(before) || /^(?:[\p{L}\p{N}_[]|\\[wd])/u.test(after);
    if (this.strict && !touchesWord) {
      this.fail("\\b", start, "a word boundary needs a word character beside it");
    }
    this.at += 2;
    this.glue(MARK_SOURCE);
  }

  private characterClass(): void {
    const start = this.at;
    const negated = this.text[start + 1] === "^";
    this.at += negated ? 2 : 1;
    const read = this.classItems(start);
    if (read.opposites) {
      this.atom(this.marked ? `[^${MARK_SOURCE}]` : "[\\x{0}-\\x{10FFFF}]");
      return;
    }
    if (negated && read.negatedSets.length > 0) {
      this.fail("[^\\W]", start, "a negated set inside a negated class is not supported");
    }
    const mark = this.marked ? MARK_SOURCE : "";
    if (negated) {
      this.atom(`[^${read.set}${mark}]`);
      return;
    }
    const parts = [
      ...(read.set === "" ? [] : [`[${read.set}]`]),
      ...read.negatedSets.map((set) => `[^${set}${mark}]`),
    ];
    this.atom(parts.length === 1 ? (parts[0] ?? "") : `(?:${parts.join("|")})`);
  }

  private classItems(start: number) {
    const sets: string[] = [];
    const negatedSets: string[] = [];
    for (let first = true; ; first = false) {
      const character = this.text[this.at];
      if (character === undefined) this.fail("[", start, "the class is not closed");
      if (character === "]" && !first) {
        this.at += 1;
        break;
      }
      const item = classItem(this.text, this.at);
      if (item === undefined) {
        this.fail(this.text.slice(this.at, this.at + 2), this.at, "this escape is not supported");
      }
      this.at += item.length;
      if (item.negated) {
        negatedSets.push(item.set);
      } else {
        sets.push(item.single ? this.range(item.set) : item.set);
      }
    }
    const opposites = negatedSets.some((set) => sets.includes(set));
    return { set: sets.join(""), negatedSets, opposites };
  }

  private range(from: string): string {
    const next = this.text[this.at + 1];
    if (this.text[this.at] !== "-" || next === undefined || next === "]") return from;
    const start = this.at;
    const to = classItem(this.text, start + 1);
    if (to === undefined || !to.single) {
      this.fail(this.text.slice(start, start + 3), start, "this range is not known");
    }
    this.at += 1 + to.length;
    if (from.length === 1 && to.set.length === 1 && from > to.set) {
      this.fail(`${from}-${to.set}`, start, "the range runs backwards");
    }
    return `${from}-${to.set}`;
  }

  private atom(source: string): void {
    this.glue(this.marked ? `(?:${this.skip()}${source})` : source);
    this.quantifiable = true;
  }

  /** Adds what a quantifier must not follow. */
  private glue(source: string): void {
    this.out += source;
    this.quantifiable = false;
    this.afterQuantifier = false;
  }

  private skip(): string {
    return this.marked ? `${MARK_SOURCE}*` : "";
  }

  private fail(construct: string, at: number, why: string): never {
    const position = at + 1;
    throw new Unsupported({
      construct,
      position,
      message: `${construct} at position ${position}: ${why}`,
    });
  }
}
