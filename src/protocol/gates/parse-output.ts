import { FenceTracker, readFence, readSentinel, type Sentinel, wireName } from "./format.ts";
import { type ParsedGateReview, parseReview } from "./parse-review.ts";
import type { ResultForm } from "./read-result.ts";
import { resultForms } from "./result-code.ts";

export type OutputProblemKind =
  | "nested"
  | "unexpected"
  | "duplicate"
  | "end-without-start"
  | "end-mismatch"
  | "empty"
  | "unterminated"
  | "missing";

/** Something about the structure of a reply, with the gate or note it concerns. */
export interface OutputProblem {
  readonly kind: OutputProblemKind;
  readonly name: string;
  readonly message: string;
}

export interface ReadOptions {
  /** The run's nonce. The pipeline always gives one; then nothing else is a sentinel. */
  readonly nonce?: string;
  /** Notes and gates as the prompt shows them: a review that repeats their text is not decided by it. */
  readonly sources?: readonly string[];
}

/** What could be read of a reply about one note and several gates. */
export interface BundleOutput {
  /** Blocks that are exactly there, once, closed and not empty; in the order asked for. */
  readonly reviews: readonly ParsedGateReview[];
  readonly missing: readonly string[];
  readonly problems: readonly OutputProblem[];
}

/** What could be read of a reply about several notes and one gate; reviews by note. */
export interface SweepOutput {
  readonly reviews: ReadonlyMap<string, ParsedGateReview>;
  readonly missing: readonly string[];
  readonly problems: readonly OutputProblem[];
}

/** Reads a reply about one note and several gates. Never throws; text outside the blocks is ignored. */
export function parseBundleOutput(
  text: string,
  options: ReadOptions & { readonly gateIds: readonly string[] },
): BundleOutput {
  const found = readBlocks(text, {
    kinds: ["gate-start", "gate-end"],
    names: options.gateIds,
    nonce: options.nonce,
  });
  const formOf = formsOf(options);
  const reviews = options.gateIds.flatMap((gateId) => {
    const block = found.blocks.get(gateId);
    return block === undefined ? [] : [parseReview(gateId, block, formOf(gateId))];
  });
  return { reviews, missing: missingOf(options.gateIds, found.blocks), problems: found.problems };
}

/** Reads a reply about several notes and one gate: a gate block inside each note block. */
export function parseSweepOutput(
  text: string,
  options: ReadOptions & { readonly notePaths: readonly string[]; readonly gateId: string },
): SweepOutput {
  const { notePaths, gateId, nonce } = options;
  const notes = readBlocks(text, { kinds: ["note-start", "note-end"], names: notePaths, nonce });
  const problems = [...notes.problems];
  const reviews = new Map<string, ParsedGateReview>();
  const formOf = formsOf(options);
  for (const path of notePaths) {
    const inner = notes.blocks.get(path);
    if (inner === undefined) continue;
    const gate = readBlocks(inner, { kinds: ["gate-start", "gate-end"], names: [gateId], nonce });
    problems.push(...gate.problems.map((problem) => ({ ...problem, name: path })));
    const block = gate.blocks.get(gateId);
    if (block !== undefined) reviews.set(path, parseReview(gateId, block, formOf(path)));
  }
  return { reviews, missing: missingOf(notePaths, reviews), problems };
}

/** A reply without a nonce answers no prompt of ours. */
function formsOf({ nonce, sources = [] }: ReadOptions): (block: string) => ResultForm | undefined {
  return nonce === undefined ? () => undefined : resultForms(nonce, sources);
}

interface BlockGrammar {
  readonly kinds: readonly [Sentinel["kind"], Sentinel["kind"]];
  readonly names: readonly string[];
  readonly nonce: string | undefined;
}

interface Blocks {
  readonly blocks: ReadonlyMap<string, string>;
  readonly problems: readonly OutputProblem[];
}

/** A name with any fault in its structure has no block: half a review is asked for again, never guessed. */
function readBlocks(text: string, grammar: BlockGrammar): Blocks {
  const reader = new BlockReader(grammar);
  const lines = unwrap(text.split("\n"));
  const fences = new FenceTracker();
  for (const line of lines) {
    const fenced = fences.isCode(line);
    const sentinel = fenced ? undefined : readSentinel(line, grammar.nonce);
    if (sentinel === undefined || !grammar.kinds.includes(sentinel.kind)) reader.text(line);
    else if (sentinel.kind === grammar.kinds[0]) reader.start(sentinel.name);
    else reader.end(sentinel.name);
  }
  return reader.finish();
}

const wrappingLanguages: readonly string[] = ["", "markdown", "md", "text"];

/** Many models put the whole reply into one code fence; that fence is wrapping, not quoting. */
function unwrap(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const opening = readFence(lines[first] ?? "");
  const closing = readFence(lines[last] ?? "");
  const wraps =
    opening !== undefined &&
    closing !== undefined &&
    wrappingLanguages.includes(opening.rest.trim().toLowerCase()) &&
    closing.rest.trim() === "" &&
    opening.mark === closing.mark;
  return wraps ? lines.slice(first + 1, last) : lines;
}

class BlockReader {
  readonly #expected: ReadonlyMap<string, string>;
  readonly #blocks = new Map<string, string>();
  readonly #spoiled = new Set<string>();
  readonly #problems: OutputProblem[] = [];
  #open: { readonly name: string; readonly lines: string[] } | undefined;

  constructor({ names }: BlockGrammar) {
    this.#expected = new Map(names.map((name) => [wireName(name), name]));
  }

  text(line: string): void {
    this.#open?.lines.push(line);
  }

  start(name: string): void {
    if (this.#open !== undefined) {
      this.#spoil(
        "nested",
        this.#open.name,
        `block opened before ${this.#open.name} was closed: ${name}`,
      );
      this.#spoil("nested", name, `block opened inside ${this.#open.name}: ${name}`);
    }
    this.#open = { name, lines: [] };
  }

  end(name: string): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) {
      this.#spoil("end-without-start", name, `block closed without start: ${name}`);
      return;
    }
    if (open.name !== name) {
      this.#spoil("end-mismatch", open.name, `expected the end of ${open.name}, found ${name}`);
      this.#spoil("end-mismatch", name, `end of ${name} inside ${open.name}`);
      return;
    }
    this.#close(name, open.lines.join("\n"));
  }

  finish(): Blocks {
    if (this.#open !== undefined)
      this.#spoil("unterminated", this.#open.name, `block is not closed: ${this.#open.name}`);
    const blocks = new Map([...this.#blocks].filter(([name]) => !this.#spoiled.has(name)));
    for (const name of this.#expected.values())
      if (!blocks.has(name) && !this.#spoiled.has(name))
        this.#problems.push({ kind: "missing", name, message: `block is missing: ${name}` });
    return { blocks, problems: this.#problems };
  }

  #close(written: string, body: string): void {
    const name = this.#expected.get(written);
    if (name === undefined) this.#note("unexpected", written, `not asked for: ${written}`);
    else if (this.#blocks.has(name))
      this.#spoil("duplicate", written, `block given twice: ${name}`);
    else if (body.trim() === "") this.#spoil("empty", written, `block is empty: ${name}`);
    else this.#blocks.set(name, body);
  }

  #spoil(kind: OutputProblemKind, written: string, message: string): void {
    this.#spoiled.add(this.#expected.get(written) ?? written);
    this.#note(kind, written, message);
  }

  #note(kind: OutputProblemKind, written: string, message: string): void {
    this.#problems.push({ kind, name: this.#expected.get(written) ?? written, message });
  }
}

function missingOf(
  names: readonly string[],
  found: ReadonlyMap<string, unknown>,
): readonly string[] {
  return names.filter((name) => !found.has(name));
}
