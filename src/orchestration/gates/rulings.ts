import { parseRulings, renderRulings } from "../../contract/gates/rulings-file.ts";
import type { LineProblem } from "../../contract/gates/tab-lines.ts";
import { fingerprintFinding } from "../../domain/gates/findings.ts";
import {
  type Dismissal,
  holdsIn,
  isInForce,
  type PairRuling,
  paragraphDigest,
  type Ruling,
} from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { DismissalRow, ReviewRepos } from "../../ports/review-repos.ts";
import type { Filed } from "./filed-verdicts.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { rulingsPath } from "./rulings-path.ts";
import { mergeByUnion } from "./union-merge.ts";

/** Held while lock or rulings are read, changed and renamed, so that concurrent commands keep each other's lines. */
export const lockFileGuard = "lock-file";

/** The rulings in force, by note. */
export interface Rulings {
  readonly all: readonly Ruling[];
  readonly byNote: ReadonlyMap<string, readonly Ruling[]>;
  readonly problems: readonly LineProblem[];
}

export async function loadRulings(tools: NotesTools): Promise<Rulings> {
  const { files, settings, store, clock } = tools;
  const { rulings, problems } = parseRulings((await files.read(rulingsPath(settings))) ?? "");
  const kept = await store?.read(({ reviews }) => storedDismissals(tools, reviews));
  const all = [...(kept ?? []), ...rulings];
  const now = clock.now();
  const inForce = all.filter((ruling) => isInForce(ruling, now));
  return { all, byNote: Map.groupBy(inForce, ({ notePath }) => notePath), problems };
}

/** Dismissals of earlier versions of this program, which kept them in the store. */
async function storedDismissals(
  { digest }: Pick<NotesTools, "digest">,
  reviews: ReviewRepos,
): Promise<readonly Dismissal[]> {
  const rows = await reviews.dismissals.all();
  const found: Dismissal[] = [];
  for (const row of rows) {
    const { notePath, gateId, noteBlob, reason, by, at } = row;
    const text = (await reviews.blobs.find([noteBlob])).get(noteBlob);
    const finding = row.quote === undefined ? await findingOf(reviews, row) : { message: "" };
    if (text === undefined || finding === undefined) continue;
    const quoted = { ...finding, ...defined({ quote: row.quote }) };
    const { anchor } = fingerprintFinding({ gateId, notePath, finding: quoted }, digest);
    const paragraph = paragraphDigest(text, row.quote, digest);
    const gateBlob = "-";
    const base = { notePath, gateId, noteBlob, gateBlob, reason, by, at };
    found.push({ ...base, kind: "dismiss", anchor, paragraph });
  }
  return found;
}

async function findingOf({ gateReviews }: ReviewRepos, { notePath, fingerprint }: DismissalRow) {
  const rows = await gateReviews.ofNote(notePath);
  return rows
    .flatMap(({ findings }) => findings)
    .find((finding) => finding.fingerprint === fingerprint);
}

/** Adds lines and drops none. `decide` sees the rulings as they are while no other process can add any. */
export async function addRulings(
  tools: WritingTools,
  decide: (present: Rulings) => Promise<readonly Ruling[]>,
): Promise<void> {
  await changeRulings(tools, async (present) => [...present.all, ...(await decide(present))]);
}

/** Moves notes: their rulings follow, and hold as long as what they are about is unchanged. */
export async function renameRulings(
  tools: WritingTools,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  await changeRulings(tools, async ({ all }) =>
    all.map((one) => ({ ...one, notePath: renamed.get(one.notePath) ?? one.notePath })),
  );
}

async function changeRulings(
  tools: WritingTools,
  change: (present: Rulings) => Promise<readonly Ruling[]>,
): Promise<void> {
  const { files, settings, exclusively } = tools;
  const path = rulingsPath(settings);
  await exclusively(lockFileGuard, async () => {
    const present = await loadRulings(tools);
    const [problem] = present.problems;
    if (problem !== undefined) throw unreadable(path, problem);
    const content = renderRulings(await change(present));
    if (content === ((await files.read(path)) ?? "")) return;
    await files.write([{ path, content }]);
    await mergeByUnion(tools, path);
  });
}

function unreadable(path: string, { line, message }: LineProblem): ConfigurationError {
  return new ConfigurationError(`${path} cannot be changed: line ${line} is ${message}.`, {
    code: "rulings-unreadable",
    facts: { path, line },
    hint: "Correct the line first, so that no ruling is lost.",
  });
}

/** The dismissals that hold for the present text of a note, by gate. */
export class HoldingDismissals {
  readonly #tools: NotesTools;
  readonly #rulings: Rulings;
  readonly #byNote = new Map<string, readonly Dismissal[]>();

  constructor(tools: NotesTools, rulings: Rulings) {
    this.#tools = tools;
    this.#rulings = rulings;
  }

  of(notePath: string, gateId: string): readonly Dismissal[] {
    const known = this.#byNote.get(notePath) ?? this.#holdingIn(notePath);
    this.#byNote.set(notePath, known);
    return known.filter((one) => one.gateId === gateId);
  }

  #holdingIn(notePath: string): readonly Dismissal[] {
    const own = this.#rulings.byNote.get(notePath) ?? [];
    const dismissals = own.filter((one) => one.kind === "dismiss");
    if (dismissals.length === 0) return [];
    const now = this.#tools.source.readText(notePath);
    return now.kind === "text" ? dismissals.filter(holdsIn(now.text, this.#tools.digest)) : [];
  }
}

/** Rulings of one pair, as they decide its verdict. */
export interface PairRulings {
  readonly overrides: readonly PairRuling[];
  /** Acknowledgements are verdicts of their own, for the versions they name. */
  readonly acknowledgements: readonly PairRuling[];
}

export function rulingsOfPair(
  rulings: readonly Ruling[],
  gateId: string,
  model: string,
): PairRulings {
  const own = rulings.filter((one) => one.gateId === gateId);
  const about = own.filter((one) => one.kind !== "dismiss").filter((one) => one.modelId === model);
  return {
    overrides: about.filter(({ kind }) => kind === "override"),
    acknowledgements: about.filter(({ kind }) => kind === "acknowledge"),
  };
}

/** A ruling on a pair as the verdict that a person files. */
export function asFiled({ noteBlob, gateBlob, digests, decision, findings }: PairRuling): Filed {
  return {
    ...{ noteBlob, gateBlob, digests, decision, findings },
    ...{ kind: "manual-ack", format: "", from: "rulings" },
  };
}
