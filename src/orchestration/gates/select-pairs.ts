import { parseFrontMatter } from "../../contract/documents/front-matter.ts";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { parseLock } from "../../contract/gates/lock-file.ts";
import { gateAppliesToNote } from "../../domain/gates/applicability.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import { modelPartition } from "../../domain/gates/model-partition.ts";
import type { FrontMatter, NoteParts } from "../../domain/gates/note-parts.ts";
import { rulePartition } from "../../domain/gates/notes-settings.ts";
import {
  classifyPair,
  type PairFacts,
  type PairState,
  type UndecidedReviews,
} from "../../domain/gates/pair-state.ts";
import type { AcceptanceSnapshot } from "../../domain/gates/snapshots.ts";
import { isTrivialChange } from "../../domain/gates/trivial-change.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import type {
  CurrentAcceptance,
  NoteAcceptances,
  PairDecision,
  PairVersions,
} from "../../ports/review-repos.ts";
import type { Gate } from "./load-gates.ts";
import type { NotesWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";

type Row = Pick<CurrentAcceptance, "noteBlob" | "gateBlob" | "decision" | "kind" | "format">;

/** What makes or made a pair fresh, and where it was found. */
export type Accepted = Row & { readonly from: "store" | "lock" };

export interface TargetPair {
  readonly note: NoteFile;
  readonly gate: Gate;
  /** The partition it is judged under. */
  readonly model: string;
  readonly state: PairState;
  readonly accepted?: Accepted;
  /** The note changed, but nothing that the gate looks at. */
  readonly trivial: boolean;
}

export interface NoteProblem {
  readonly path: string;
  readonly message: string;
}

export interface PairSelection {
  /** Everything that is not fresh, by note, gate and model. */
  readonly stale: readonly TargetPair[];
  readonly pairs: number;
  readonly fresh: { readonly [decision in Settled]: number };
  readonly problems: readonly NoteProblem[];
}

export interface SelectOptions {
  /** Model names as given; each is a separate partition. */
  readonly models: readonly string[];
  /** An acceptance given under another format counts as none. */
  readonly format?: string;
  /** Called for every fresh pair. */
  readonly onFresh?: (pair: TargetPair) => void;
  /** Use the lock alone and do not read the store. */
  readonly lockOnly?: boolean;
}

/** Which of the selected pairs are stale, and why. Status, review, check and warns all use it. */
export async function selectPairs(
  tools: NotesTools,
  world: NotesWorld,
  options: SelectOptions,
): Promise<PairSelection> {
  const lock = new LockedPairs(await tools.files.read(tools.settings.lock));
  const selector = new PairSelector(tools, world, { options, lock });
  if (options.lockOnly !== true) {
    await tools.store?.read(async ({ reviews }) => {
      selector.undecided = countUndecidedPairs(await reviews.gateReviews.ofUndecidedPairs());
      for (const stored of reviews.acceptances.current()) selector.note(stored);
    });
  }
  selector.rest();
  return selector.finish();
}

/** The selected pairs, stale and fresh. */
export async function selectAllPairs(
  tools: NotesTools,
  world: NotesWorld,
  options: Omit<SelectOptions, "onFresh">,
): Promise<PairSelection & { readonly freshPairs: readonly TargetPair[] }> {
  const freshPairs: TargetPair[] = [];
  const onFresh = (pair: TargetPair): unknown => freshPairs.push(pair);
  return { ...(await selectPairs(tools, world, { ...options, onFresh })), freshPairs };
}

export function partitionsOf(tools: NotesTools, models: readonly string[]): readonly string[] {
  return [...new Set(models.map((model) => modelPartition(model, tools.settings)))];
}

class PairSelector {
  readonly #tools: NotesTools;
  readonly #options: SelectOptions;
  readonly #lock: LockedPairs;
  readonly #asked: readonly { readonly gate: Gate; readonly model: string }[];
  /** Which of the gates of the note before is which of those asked about. */
  #known: { readonly gates: NoteAcceptances["gates"]; readonly places: readonly StoredPlace[] } = {
    gates: [],
    places: [],
  };
  readonly #needsFrontMatter: boolean;
  readonly #waiting: Map<string, NoteFile>;
  readonly #stale: TargetPair[] = [];
  readonly #fresh = { pass: 0, warn: 0, fail: 0 };
  readonly #problems: NoteProblem[] = [];
  #pairs = 0;
  undecided: ReadonlyMap<string, UndecidedReviews> = new Map();

  constructor(
    tools: NotesTools,
    world: NotesWorld,
    about: { readonly options: SelectOptions; readonly lock: LockedPairs },
  ) {
    this.#tools = tools;
    this.#options = about.options;
    this.#lock = about.lock;
    const judges = partitionsOf(tools, about.options.models);
    this.#asked = world.gates.flatMap((gate) =>
      (gate.kind === "rule" ? [rulePartition] : judges).map((model) => ({ gate, model })),
    );
    this.#needsFrontMatter = world.gates.some(
      ({ requiresTrait, requiresType }) => requiresTrait.length + requiresType.length > 0,
    );
    this.#waiting = new Map(world.notes.map((note) => [note.path, note]));
  }

  /** Classifies all pairs of one note against what the store has for it. */
  note(stored: NoteAcceptances): void {
    const note = this.#waiting.get(stored.notePath);
    if (note === undefined) return;
    this.#waiting.delete(note.path);
    const frontMatter = this.#frontMatterOf(note);
    if (frontMatter === "unreadable") return;
    const places = this.#placesOf(stored.gates);
    for (const [asked, { gate, model }] of this.#asked.entries()) {
      if (!gateAppliesToNote(gate, { frontMatter }).applies) continue;
      const place = places[asked];
      if (this.#countIfFresh(note, stored, place)) continue;
      this.#classify(note, gate, { model, row: rowAt(stored, place?.at) });
    }
  }

  #placesOf(gates: NoteAcceptances["gates"]): readonly StoredPlace[] {
    if (this.#known.gates === gates) return this.#known.places;
    const at = new Map(gates.map(({ gateId, model }, place) => [`${gateId}\n${model}`, place]));
    const places = this.#asked.map(({ gate, model }) => {
      const place = at.get(`${gate.id}\n${model}`);
      if (place === undefined) return undefined;
      return { at: place, isSameGate: gates[place]?.gateBlob === gate.blobSha };
    });
    this.#known = { gates, places };
    return places;
  }

  /** Classifies the notes that the store does not know. */
  rest(): void {
    const nothing = { gates: [], noteBlobs: [], decisions: [] };
    for (const notePath of [...this.#waiting.keys()]) this.note({ notePath, ...nothing });
  }

  async finish(): Promise<PairSelection> {
    const stale = await markTrivial(this.#tools, this.#stale);
    return {
      stale: stale.toSorted(comparePairs),
      pairs: this.#pairs,
      fresh: this.#fresh,
      problems: this.#problems,
    };
  }

  /** The usual case: the pair is only counted, and no objects are created. */
  #countIfFresh(note: NoteFile, stored: NoteAcceptances, place: StoredPlace): boolean {
    const { onFresh, format } = this.#options;
    if (place?.isSameGate !== true || onFresh !== undefined || format !== undefined) return false;
    const decision = stored.decisions[place.at];
    if (decision === undefined || stored.noteBlobs[place.at] !== note.blobSha) return false;
    this.#pairs += 1;
    this.#fresh[decision] += 1;
    return true;
  }

  #classify(
    note: NoteFile,
    gate: Gate,
    about: { readonly model: string; readonly row: Row | undefined },
  ): void {
    this.#pairs += 1;
    const { model } = about;
    const row = this.#ofFormat(about.row);
    const isFreshByStore = row?.noteBlob === note.blobSha && row.gateBlob === gate.blobSha;
    const line = isFreshByStore
      ? undefined
      : this.#ofFormat(this.#lock.find(note.path, gate.id, model));
    const undecided = this.undecided.get(pairKey(note.path, gate.id, model));
    const pair = { note, gate, model };
    const [stored, locked] = [snapshotOf(pair, row), snapshotOf(pair, line)];
    const state = classifyPair({ note, gate, ...defined({ stored, locked, undecided }) });
    const accepted = state.kind === "fresh" && state.by === "lock" ? line : (row ?? line);
    const from = accepted === row ? "store" : "lock";
    const target: TargetPair = {
      ...pair,
      state,
      trivial: false,
      ...defined({ accepted: accepted && ({ ...accepted, from } as const) }),
    };
    if (state.kind !== "fresh") this.#stale.push(target);
    else {
      if (accepted !== undefined) this.#fresh[accepted.decision] += 1;
      this.#options.onFresh?.(target);
    }
  }

  #ofFormat<T extends { readonly format: string }>(accepted: T | undefined): T | undefined {
    const { format } = this.#options;
    return format === undefined || accepted?.format === format ? accepted : undefined;
  }

  #frontMatterOf(note: NoteFile): FrontMatter | "unreadable" {
    if (!this.#needsFrontMatter) return { kind: "none" };
    const loaded = this.#tools.source.readText(note.path);
    if (loaded.kind !== "text") {
      this.#problems.push({ path: note.path, message: `the file is ${loaded.kind}` });
      return "unreadable";
    }
    const frontMatter = parseFrontMatter(loaded.text);
    if (frontMatter.kind === "malformed") {
      const message = `line ${frontMatter.line}: the front matter ${frontMatter.message}`;
      this.#problems.push({ path: note.path, message });
    }
    return frontMatter;
  }
}

/** The index of a pair's acceptance in the store's list, if there is one. */
type StoredPlace = { readonly at: number; readonly isSameGate: boolean } | undefined;

function rowAt(stored: NoteAcceptances, at: number | undefined): Row | undefined {
  if (at === undefined) return undefined;
  const [gate, noteBlob, decision] = [stored.gates[at], stored.noteBlobs[at], stored.decisions[at]];
  if (gate === undefined || noteBlob === undefined || decision === undefined) return undefined;
  return { ...gate, noteBlob, decision };
}

/** The lock's lines by pair; parsed only when the store alone does not settle everything. */
class LockedPairs {
  readonly #text: string | undefined;
  #lines: ReadonlyMap<string, Row> | undefined;

  constructor(text: string | undefined) {
    this.#text = text;
  }

  find(notePath: string, gateId: string, model: string): Row | undefined {
    if (this.#text === undefined) return undefined;
    this.#lines ??= new Map(
      parseLock(this.#text).lines.map((line) => [
        pairKey(line.notePath, line.gateId, line.modelId),
        {
          noteBlob: line.acceptedNoteSha,
          gateBlob: line.acceptedGateSha,
          decision: line.decision,
          kind: line.kind,
          format: line.format,
        },
      ]),
    );
    return this.#lines.get(pairKey(notePath, gateId, model));
  }
}

export function pairKey(notePath: string, gateId: string, model: string): string {
  return `${notePath}\n${gateId}\n${model}`;
}

/** The accepted versions in the domain's terms. */
export function snapshotOf(
  { note, gate, model }: Pick<TargetPair, "note" | "gate" | "model">,
  accepted: Pick<Accepted, "noteBlob" | "gateBlob"> | undefined,
): AcceptanceSnapshot | undefined {
  return (
    accepted && {
      ...{ notePath: note.path, gateId: gate.id, modelId: model },
      acceptedNoteSha: accepted.noteBlob,
      acceptedGateSha: accepted.gateBlob,
    }
  );
}

/** The pair's present versions, as rows name them. */
export function versionsOf({ note, gate }: Pick<PairFacts, "note" | "gate">): PairVersions {
  return {
    notePath: note.path,
    noteBlob: note.blobSha,
    gateId: gate.id,
    gateBlob: gate.blobSha,
  };
}

export function notApplicable(note: string, gate: string): ConfigurationError {
  return new ConfigurationError(`The gate ${gate} does not apply to ${note}.`, {
    code: "pair-not-applicable",
    facts: { note, gate },
  });
}

/** Trailing undecided reviews per pair, all of the newest versions. */
function countUndecidedPairs(
  decisions: readonly PairDecision[],
): ReadonlyMap<string, UndecidedReviews> {
  const counted = new Map<string, UndecidedReviews>();
  for (const { notePath, gateId, model, noteBlob, gateBlob, decision } of decisions) {
    const key = pairKey(notePath, gateId, model);
    const known = counted.get(key);
    const isSame = known?.noteSha === noteBlob && known.gateSha === gateBlob;
    const isOpen = decision === "unknown" || decision === "error";
    const times = isOpen ? (isSame ? known.times : 0) + 1 : 0;
    counted.set(key, { noteSha: noteBlob, gateSha: gateBlob, times });
  }
  return counted;
}

/** Compares the accepted version with the present one, where both are known. Unknown is never trivial. */
async function markTrivial(
  tools: NotesTools,
  stale: readonly TargetPair[],
): Promise<readonly TargetPair[]> {
  const changed = stale.filter(isNoteChanged);
  if (changed.length === 0) return stale;
  const texts = await acceptedTexts(tools, changed);
  const parsed = new Map<string, NoteParts>();
  const partsOf = (blob: string, text: string | undefined): NoteParts | undefined => {
    const known = parsed.get(blob) ?? (text === undefined ? undefined : parseNote(text));
    if (known !== undefined) parsed.set(blob, known);
    return known;
  };
  return stale.map((pair) => {
    if (!isNoteChanged(pair)) return pair;
    const now = tools.source.readText(pair.note.path);
    const before = partsOf(pair.accepted.noteBlob, texts.get(pair.accepted.noteBlob));
    const after = partsOf(pair.note.blobSha, now.kind === "text" ? now.text : undefined);
    if (before === undefined || after === undefined) return pair;
    return { ...pair, trivial: isTrivialChange(before, after, pair.gate.watches) };
  });
}

type AcceptedPair = TargetPair & Required<Pick<TargetPair, "accepted">>;

/** The accepted text is another than the present one. */
export function isNoteChanged(pair: TargetPair): pair is AcceptedPair {
  const { state, accepted } = pair;
  return state.kind !== "fresh" && state.reason === "note-changed" && accepted !== undefined;
}

/** The texts in which these notes were accepted, by blob. */
export function acceptedTexts(
  tools: NotesTools,
  pairs: readonly AcceptedPair[],
): Promise<ReadonlyMap<string, string>> {
  return earlierTexts(
    tools,
    pairs.map(({ accepted }) => accepted.noteBlob),
  );
}

/** From the store, else from git. */
export async function earlierTexts(
  { store, source }: NotesTools,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(blobs)];
  const kept = await store?.read(({ reviews }) => reviews.blobs.find(wanted));
  const missing = wanted.filter((blob) => kept?.has(blob) !== true);
  return new Map([...(kept ?? []), ...(await source.textsAt(missing))]);
}

function comparePairs(a: TargetPair, b: TargetPair): number {
  return (
    compareText(a.note.path, b.note.path) ||
    compareText(a.gate.id, b.gate.id) ||
    compareText(a.model, b.model)
  );
}

function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
