import { parseFrontMatter } from "../../contract/documents/front-matter.ts";
import { renderLock } from "../../contract/gates/lock-file.ts";
import { gateAppliesToNote } from "../../domain/gates/applicability.ts";
import { isWorse, outranks } from "../../domain/gates/counting-verdict.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import { modelPartition } from "../../domain/gates/model-partition.ts";
import type { FrontMatter } from "../../domain/gates/note-parts.ts";
import { rulePartition } from "../../domain/gates/notes-settings.ts";
import { freshState, type UndecidedReviews } from "../../domain/gates/pair-state.ts";
import { compareText } from "../../domain/values/compare-text.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import type { NoteAcceptances, PairDecision } from "../../ports/review-repos.ts";
import { acceptanceAt } from "./current-acceptances.ts";
import { type Filed, type FiledPair, LockedVerdicts, pairName } from "./filed-verdicts.ts";
import { judgePairs } from "./judge-pairs.ts";
import type { Gate } from "./load-gates.ts";
import type { NotesWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { asFiled, loadRulings, type Rulings, rulingsOfPair } from "./rulings.ts";
import { pairKey, type TargetPair } from "./target-pair.ts";
import { TimeSlices } from "./time-slices.ts";

export interface NoteProblem {
  readonly path: string;
  readonly message: string;
}

/** How many of the fresh pairs have a person's ruling. */
export interface RulingCounts {
  readonly dismissed: number;
  readonly overridden: number;
  readonly acknowledged: number;
}

export interface PairSelection {
  /** Everything that is not fresh, by note, gate and model. */
  readonly stale: readonly TargetPair[];
  /** Fresh pairs whose texts differ from the reviewed ones where no review looks. */
  readonly trivial: readonly TargetPair[];
  readonly pairs: number;
  readonly fresh: { readonly [decision in Settled]: number };
  readonly ruled: RulingCounts;
  readonly problems: readonly NoteProblem[];
}

export interface SelectOptions {
  /** Model names as given; each is a separate partition. */
  readonly models: readonly string[];
  /** An acceptance given under another format counts as none. */
  readonly format?: string;
  /** Called for every fresh pair. */
  readonly onFresh?: (pair: TargetPair) => void;
  /** Called in place of `onFresh` for most of those that pass, because half a million objects take long to create. */
  readonly onPassing?: (note: NoteFile, gate: Gate, model: string) => void;
  /** Use lock and rulings alone and do not read the store. */
  readonly lockOnly?: boolean;
  /** Read every note, also where no gate asks for its front matter. */
  readonly readAll?: boolean;
}

/** Which of the selected pairs are stale, and why. Status, review, check and warns all use it. */
export async function selectPairs(
  tools: NotesTools,
  world: NotesWorld,
  options: SelectOptions,
): Promise<PairSelection> {
  const written = (await tools.files.read(tools.settings.lock)) ?? "";
  const deleted = renderLock(world.changes?.deletedVerdicts ?? []);
  const lock = new LockedVerdicts(deleted === "" ? written : `${written}\n${deleted}`);
  const rulings = await loadRulings(tools);
  const selector = new PairSelector(tools, world, { options, lock, rulings });
  if (options.lockOnly !== true) {
    await tools.store?.read(async ({ reviews }) => {
      selector.undecided = countUndecidedPairs(await reviews.gateReviews.ofUndecidedPairs());
      await reviews.acceptances.byNote((stored) => {
        selector.note(stored);
        return selector.pace.pause();
      });
    });
  }
  await selector.rest();
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
  return [...new Set(models.map((model) => partitionOf(tools, model)))];
}

export function partitionOf({ settings }: NotesTools, model: string): string {
  return modelPartition(model, settings);
}

interface SelectorParts {
  readonly options: SelectOptions;
  readonly lock: LockedVerdicts;
  readonly rulings: Rulings;
}

class PairSelector {
  readonly #tools: NotesTools;
  readonly #parts: SelectorParts;
  readonly #covers: NotesWorld["covers"];
  readonly #asked: readonly { readonly gate: Gate; readonly model: string; name: string }[];
  /** Which of the gates of the note before is which of those asked about. */
  #known: { readonly gates: NoteAcceptances["gates"]; readonly places: readonly StoredPlaces[] } = {
    gates: [],
    places: [],
  };
  readonly #needsFrontMatter: boolean;
  readonly #waiting: Map<string, NoteFile>;
  readonly #open: FiledPair[] = [];
  readonly #fresh = { pass: 0, warn: 0, fail: 0 };
  readonly #problems: NoteProblem[] = [];
  #pairs = 0;
  readonly pace: TimeSlices;
  undecided: ReadonlyMap<string, UndecidedReviews> = new Map();

  constructor(tools: NotesTools, world: NotesWorld, parts: SelectorParts) {
    this.#tools = tools;
    this.#parts = parts;
    this.pace = new TimeSlices(tools.clock);
    this.#covers = world.covers;
    const judges = partitionsOf(tools, parts.options.models);
    this.#asked = world.gates.flatMap((gate) =>
      (gate.kind === "rule" ? [rulePartition] : judges).map((model) => ({
        ...{ gate, model, name: pairName(gate.id, model) },
      })),
    );
    this.#needsFrontMatter =
      parts.options.readAll === true ||
      world.gates.some(
        ({ requiresTrait, requiresType }) => requiresTrait.length + requiresType.length > 0,
      );
    this.#waiting = new Map(world.notes.map((note) => [note.path, note]));
  }

  /** Takes all pairs of one note with what the store has for it. */
  note(stored: NoteAcceptances): void {
    const note = this.#waiting.get(stored.notePath);
    if (note === undefined) return;
    this.#waiting.delete(note.path);
    const frontMatter = this.#frontMatterOf(note);
    if (frontMatter === "unreadable") return;
    const { lock, rulings } = this.#parts;
    const ruled = rulings.byNote.get(note.path);
    const isPlain = !lock.mayOutweigh(note.path);
    let locked: ReturnType<LockedVerdicts["of"]> | undefined;
    const linesOf = (name: string): readonly Filed[] => {
      locked ??= lock.of(note.path);
      return locked.get(name) ?? [];
    };
    const places = this.#placesOf(stored.gates);
    for (const [asked, { gate, model, name }] of this.#asked.entries()) {
      if (this.#covers?.(note.path, gate.id) === false) continue;
      if (!gateAppliesToNote(gate, { frontMatter }).applies) continue;
      this.#pairs += 1;
      const place = places[asked];
      const contrary = isPlain ? [] : linesOf(name);
      if (ruled === undefined && this.#countIfFresh({ note, stored, place, contrary })) {
        this.#parts.options.onPassing?.(note, gate, model);
        continue;
      }
      const acked =
        ruled === undefined
          ? []
          : rulingsOfPair(ruled, gate.id, model).acknowledgements.map(asFiled);
      const rows = (place?.at ?? []).toReversed().flatMap((at) => rowAt(stored, at));
      const filed = [...rows, ...acked, ...linesOf(name)].filter((one) => this.#hasFormat(one));
      this.#open.push({ note, gate, model, filed });
    }
  }

  #placesOf(gates: NoteAcceptances["gates"]): readonly StoredPlaces[] {
    if (this.#known.gates === gates) return this.#known.places;
    const at = new Map<string, number[]>();
    for (const [place, { gateId, model }] of gates.entries()) {
      const name = pairName(gateId, model);
      at.set(name, [...(at.get(name) ?? []), place]);
    }
    const places = this.#asked.map(({ gate, name }) => {
      const own = at.get(name);
      if (own === undefined) return undefined;
      const [only = -1] = own;
      return { at: own, isSameGate: own.length === 1 && gates[only]?.gateBlob === gate.blobSha };
    });
    this.#known = { gates, places };
    return places;
  }

  /** Takes the notes that the store does not know. */
  async rest(): Promise<void> {
    const nothing = { gates: [], noteBlobs: [], decisions: [] };
    await this.pace.forEach([...this.#waiting.keys()], (notePath) =>
      this.note({ notePath, ...nothing }),
    );
  }

  async finish(): Promise<PairSelection> {
    const { options, rulings } = this.#parts;
    const about = { rulings, undecided: this.undecided, lockOnly: options.lockOnly === true };
    const judged = await judgePairs(this.#tools, this.#open, about);
    const ruled = { dismissed: 0, overridden: 0, acknowledged: 0 };
    await this.pace.forEach(judged, (pair) => {
      const { accepted } = pair;
      if (pair.state !== freshState || accepted === undefined) return;
      this.#fresh[accepted.decision] += 1;
      ruled.dismissed += accepted.dismissed > 0 ? 1 : 0;
      ruled.overridden += accepted.override === undefined ? 0 : 1;
      ruled.acknowledged += accepted.kind === "manual-ack" ? 1 : 0;
      options.onFresh?.(pair);
    });
    return {
      stale: judged.filter(({ state }) => state !== freshState).toSorted(comparePairs),
      trivial: judged.filter(({ trivial }) => trivial).toSorted(comparePairs),
      pairs: this.#pairs,
      fresh: this.#fresh,
      ruled,
      problems: this.#problems,
    };
  }

  /** The usual case: one acceptance, nothing in the lock that could outweigh it. Counted without creating objects. */
  #countIfFresh(about: {
    readonly note: NoteFile;
    readonly stored: NoteAcceptances;
    readonly place: StoredPlaces;
    readonly contrary: readonly Filed[];
  }): boolean {
    const { note, stored, place, contrary } = about;
    const { onFresh, onPassing, format } = this.#parts.options;
    if (place?.isSameGate !== true || format !== undefined) return false;
    const [at = -1] = place.at;
    const decision = stored.decisions[at];
    const isCounted = decision === "pass" && onPassing !== undefined;
    if (onFresh !== undefined && !isCounted) return false;
    if (decision === undefined || stored.noteBlobs[at] !== note.blobSha) return false;
    if (stored.gates[at]?.kind === "manual-ack") return false;
    if (contrary.some((one) => outranks(one) || isWorse(one.decision, decision))) return false;
    this.#fresh[decision] += 1;
    return true;
  }

  #hasFormat({ format, from }: Filed): boolean {
    const { options } = this.#parts;
    return options.format === undefined || format === options.format || from === "rulings";
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

/** The indexes of a pair's acceptances in the store's list, if there are any. */
type StoredPlaces = { readonly at: readonly number[]; readonly isSameGate: boolean } | undefined;

function rowAt(stored: NoteAcceptances, at: number): readonly Filed[] {
  const row = acceptanceAt(stored, at);
  return row === undefined ? [] : [{ ...row, from: "store" }];
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

function comparePairs(a: TargetPair, b: TargetPair): number {
  return (
    compareText(a.note.path, b.note.path) ||
    compareText(a.gate.id, b.gate.id) ||
    compareText(a.model, b.model)
  );
}
