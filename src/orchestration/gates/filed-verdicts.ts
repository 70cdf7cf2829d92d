import { parseNote } from "../../contract/documents/parse-note.ts";
import { parseGateFile } from "../../contract/gates/gate-file.ts";
import { type LockLine, parseLock } from "../../contract/gates/lock-file.ts";
import { readFields, renderFields } from "../../contract/gates/tab-lines.ts";
import {
  type FiledVerdict,
  fitsPair,
  type PresentPair,
} from "../../domain/gates/counting-verdict.ts";
import { fingerprintFinding } from "../../domain/gates/findings.ts";
import type { NoteParts } from "../../domain/gates/note-parts.ts";
import {
  digestAsBefore,
  digestGate,
  digestNote,
  type PairDigests,
} from "../../domain/gates/pair-digests.ts";
import type { FiledFinding } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import type { FindingRow, GateReviewRow } from "../../ports/review-repos.ts";
import type { Gate } from "./load-gates.ts";
import type { NotesTools } from "./notes-tools.ts";

/** A verdict on a pair and model, wherever it is known from. */
export interface Filed extends FiledVerdict {
  readonly format: string;
  readonly from: "store" | "lock" | "rulings";
  /** Known from lock and rulings; those of a row are with its review. */
  readonly findings?: readonly FiledFinding[];
}

/** A pair with every verdict that was ever filed for it; those of the store come first, the newest before older ones. */
export interface FiledPair {
  readonly note: NoteFile;
  readonly gate: Gate;
  readonly model: string;
  readonly filed: readonly Filed[];
}

/** The lock's lines by note and pair. Most of them pass and need not be parsed. */
export class LockedVerdicts {
  readonly #text: string;
  #chunks: ReadonlyMap<string, string> | undefined;

  constructor(text: string | undefined) {
    this.#text = text ?? "";
  }

  /** Whether the note has a line that could outweigh a pass. */
  mayOutweigh(notePath: string): boolean {
    return /\t(?:warn|fail|vote|manual-ack)\t/.test(this.#chunkOf(notePath));
  }

  /** All verdicts of a note, by `pairName`. */
  of(notePath: string): ReadonlyMap<string, readonly Filed[]> {
    const { lines } = parseLock(this.#chunkOf(notePath));
    const pairs = Map.groupBy(lines, ({ gateId, modelId }) => pairName(gateId, modelId));
    return new Map([...pairs].map(([name, own]) => [name, own.map(filedIn)]));
  }

  notePaths(): readonly string[] {
    return [...this.#byNote().keys()].flatMap((written) => readFields(written).slice(0, 1));
  }

  /** The versions of a note that lines name. */
  blobsOf(notePath: string): readonly string[] {
    return parseLock(this.#chunkOf(notePath)).lines.map((line) => line.acceptedNoteSha);
  }

  #chunkOf(notePath: string): string {
    return this.#byNote().get(renderFields([notePath])) ?? "";
  }

  #byNote(): ReadonlyMap<string, string> {
    this.#chunks ??= linesByNote(this.#text);
    return this.#chunks;
  }
}

function linesByNote(text: string): ReadonlyMap<string, string> {
  const chunks = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const note = text.slice(at, text.indexOf("\t", at) + 1 || undefined);
    let end = at;
    // Lines of a note are together in a sorted file.
    while (end < text.length && text.startsWith(note, end))
      end = text.indexOf("\n", end) + 1 || text.length;
    if (end === at) end = text.length;
    const name = note.slice(0, -1);
    const known = chunks.get(name);
    chunks.set(
      name,
      known === undefined ? text.slice(at, end) : `${known}\n${text.slice(at, end)}`,
    );
    at = end;
  }
  return chunks;
}

export function filedIn(line: LockLine): Filed {
  const { decision, kind, format, digests, findings } = line;
  return {
    ...{ noteBlob: line.acceptedNoteSha, gateBlob: line.acceptedGateSha, decision, kind, format },
    ...{ from: "lock", findings, ...defined({ digests }) },
  };
}

export function pairName(gateId: string, model: string): string {
  return `${gateId}\n${model}`;
}

/** Digests of present and earlier versions, each text parsed once. */
export class VersionDigests {
  readonly #tools: NotesTools;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #parts = new Map<string, NoteParts>();
  readonly #notes = new Map<string, string | undefined>();
  readonly #gates = new WeakMap<Gate, string>();
  readonly #earlierGates = new Map<string, string | undefined>();

  private constructor(tools: NotesTools, texts: ReadonlyMap<string, string>) {
    this.#tools = tools;
    this.#texts = texts;
  }

  /** Loads the texts of the versions whose digests are not filed. */
  static async load(tools: NotesTools, pairs: readonly FiledPair[]): Promise<VersionDigests> {
    const wanted = new Set<string>();
    for (const { note, gate, filed } of pairs)
      for (const { noteBlob, gateBlob, digests } of filed) {
        if (digests !== undefined) continue;
        if (noteBlob !== note.blobSha) wanted.add(noteBlob);
        if (gateBlob !== gate.blobSha) wanted.add(gateBlob);
      }
    const texts = wanted.size === 0 ? new Map() : await earlierTexts(tools, [...wanted]);
    return new VersionDigests(tools, texts);
  }

  /** The verdicts that fit the present versions. */
  fitting<T extends FiledVerdict>({
    note,
    gate,
    filed,
  }: Omit<FiledPair, "filed" | "model"> & { readonly filed: readonly T[] }): readonly T[] {
    const present: PresentPair = {
      noteBlob: note.blobSha,
      gateBlob: gate.blobSha,
      digests: () => this.present(note, gate),
      formerDigests: () => this.#former(note, gate),
    };
    return filed.filter((one) => fitsPair(one, present, () => this.#earlier(gate, one)));
  }

  /** What the pair's present versions are to a reviewer. */
  present(note: NoteFile, gate: Gate): Partial<PairDigests> {
    const now = this.#tools.source.readText(note.path);
    return {
      gate: this.#gateNow(gate),
      ...defined({
        note: now.kind === "text" ? this.#noteDigest(`${note.path}\n`, now.text, gate) : undefined,
      }),
    };
  }

  #former(note: NoteFile, gate: Gate): Partial<PairDigests> {
    const now = this.#tools.source.readText(note.path);
    if (now.kind !== "text") return {};
    return digestAsBefore(this.#partsOf(`${note.path}\n`, now.text), gate, this.#tools.digest);
  }

  #gateNow(gate: Gate): string {
    const known = this.#gates.get(gate) ?? digestGate(gate, this.#tools.digest);
    this.#gates.set(gate, known);
    return known;
  }

  #earlier(gate: Gate, { noteBlob, gateBlob }: FiledVerdict): Partial<PairDigests> {
    const text = this.#texts.get(noteBlob);
    return defined({
      note: text === undefined ? undefined : this.#noteDigest(noteBlob, text, gate),
      gate: this.#earlierGate(gate, gateBlob),
    });
  }

  #earlierGate({ id, path }: Gate, blob: string): string | undefined {
    const text = this.#texts.get(blob);
    if (text === undefined) return undefined;
    if (!this.#earlierGates.has(blob)) {
      const read = parseGateFile(id, path, text);
      const digest =
        read.kind === "parsed" ? digestGate(read.value, this.#tools.digest) : undefined;
      this.#earlierGates.set(blob, digest);
    }
    return this.#earlierGates.get(blob);
  }

  #noteDigest(key: string, text: string, gate: Gate): string | undefined {
    const needs = [gate.watches, gate.requiresTrait, gate.requiresType];
    const name = `${key}\n${needs.map((list) => list.join()).join("\n")}`;
    if (!this.#notes.has(name))
      this.#notes.set(name, digestNote(this.#partsOf(key, text), gate, this.#tools.digest));
    return this.#notes.get(name);
  }

  #partsOf(key: string, text: string): NoteParts {
    const parts = this.#parts.get(key) ?? parseNote(text);
    this.#parts.set(key, parts);
    return parts;
  }
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

/** The review that a verdict comes from: of the same versions, else the newest that says the same. */
export function reviewBehind(
  reviews: readonly GateReviewRow[],
  { gateId, model }: { readonly gateId: string; readonly model: string },
  { noteBlob, gateBlob, decision }: FiledVerdict,
): GateReviewRow | undefined {
  const own = reviews.filter(
    (row) => row.gateId === gateId && row.model === model && row.decision === decision,
  );
  return (
    own.findLast((row) => row.noteBlob === noteBlob && row.gateBlob === gateBlob) ?? own.at(-1)
  );
}

/** The findings of a review as lock and rulings name them. */
export function filedFindings(
  { digest }: Pick<NotesTools, "digest">,
  findings: readonly Pick<FindingRow, "severity" | "message" | "quote">[],
): readonly FiledFinding[] {
  return findings.flatMap((finding) => {
    const { severity } = finding;
    if (severity === "info") return [];
    const { anchor } = fingerprintFinding({ gateId: "", notePath: "", finding }, digest);
    return [{ severity, anchor }];
  });
}
