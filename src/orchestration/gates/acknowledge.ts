import { planAcks } from "../../domain/gates/acceptance.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { NewAcceptance, PairVersions, ReviewRepos } from "../../ports/review-repos.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import {
  notApplicable,
  selectAllPairs,
  snapshotOf,
  type TargetPair,
  versionsOf,
} from "./select-pairs.ts";

export interface Acked {
  readonly pairs: readonly TargetPair[];
  readonly written: boolean;
}

export interface AckAct {
  readonly kind: "manual-ack" | "trivial-change-ack" | "relocation-ack";
  readonly reason: string;
  readonly by: string;
}

/** Pairs whose note changed only where the gate does not look: the earlier review still holds. */
export async function acknowledgeTrivial(
  tools: WritingTools,
  stale: readonly TargetPair[],
  how: { readonly by: string; readonly dryRun: boolean },
): Promise<Acked> {
  const pairs = stale.filter(({ trivial }) => trivial);
  if (pairs.length === 0 || how.dryRun) return { pairs, written: false };
  const act = { kind: "trivial-change-ack", reason: "no watched part changed" } as const;
  const acks = planAppends(tools, pairs, { ...act, by: how.by });
  await tools.store.transaction(async ({ reviews }) => {
    const open = new Set(await unmovedOf(reviews, pairs));
    await appendAcks(
      reviews,
      acks.filter(({ pair }) => open.has(pair)),
    );
  });
  return { pairs, written: true };
}

/** A person says that earlier reviews still hold. All pairs or none. */
export async function acknowledgePairs(
  tools: WritingTools,
  world: NotesWorld,
  asked: {
    readonly names: readonly string[];
    readonly models: readonly string[];
    readonly reason: string;
    readonly by: string;
    readonly dryRun: boolean;
  },
): Promise<Acked> {
  const wanted = asked.names.map((name) => readPairName(world, name));
  const { freshPairs, stale } = await selectAllPairs(tools, world, { models: asked.models });
  const all = [...freshPairs, ...stale];
  const pairs = wanted.flatMap(({ note, gate }) => {
    const found = all.filter((pair) => pair.note.path === note && pair.gate.id === gate);
    if (found.length === 0) throw notApplicable(note, gate);
    return found;
  });
  const plan = planAcks(pairs.map(requestOf));
  if (plan.kind === "refused") throw neverReviewed(plan.neverReviewed);
  const open = new Set(plan.pairs.map((ask) => `${ask.notePath}\n${ask.gateId}`));
  const chosen = [...new Set(pairs)].filter(
    (pair) => pair.state.kind !== "fresh" && open.has(nameOf(pair)),
  );
  if (asked.dryRun || chosen.length === 0) return { pairs: chosen, written: false };
  const act = { kind: "manual-ack", reason: asked.reason, by: asked.by } as const;
  const acks = planAppends(tools, chosen, act);
  await tools.store.transaction(async ({ reviews }) => {
    const still = new Set(await unmovedOf(reviews, chosen));
    const moved = chosen.find((pair) => !still.has(pair));
    if (moved !== undefined) throw pairMoved(moved);
    await appendAcks(reviews, acks);
  });
  return { pairs: chosen, written: true };
}

function nameOf({ note, gate }: TargetPair): string {
  return `${note.path}\n${gate.id}`;
}

/** Checked again inside the transaction: leaves out pairs that were settled after they were selected. */
async function unmovedOf(
  reviews: ReviewRepos,
  pairs: readonly TargetPair[],
): Promise<readonly TargetPair[]> {
  const settled = new Set<string>();
  for (const path of new Set(pairs.map(({ note }) => note.path))) {
    for (const one of await reviews.acceptances.currentOf(path)) settled.add(versionKey(one));
  }
  return pairs.filter(
    (pair) => !settled.has(versionKey({ ...versionsOf(pair), model: pair.model })),
  );
}

function versionKey(of: PairVersions & { readonly model: string }): string {
  return [of.notePath, of.noteBlob, of.gateId, of.gateBlob, of.model].join("\n");
}

/** An acknowledgement ready to be written. Its text is read beforehand, so the transaction touches rows only. */
export interface PlannedAck {
  readonly pair: TargetPair;
  /** The present text, stored so that the act can be judged later. */
  readonly text?: string;
  readonly acceptance: NewAcceptance;
}

export function planAppends(
  tools: WritingTools,
  pairs: readonly TargetPair[],
  act: AckAct,
): readonly PlannedAck[] {
  const at = tools.clock.now();
  return pairs.flatMap((pair) => {
    const { note, model, accepted } = pair;
    if (accepted === undefined) return [];
    const now = tools.source.readText(note.path);
    const { decision, format } = accepted;
    const acceptance = { ...versionsOf(pair), model, decision, format, ...act, at };
    return [{ pair, acceptance, ...(now.kind === "text" ? { text: now.text } : {}) }];
  });
}

export async function appendAcks(
  { blobs, acceptances }: ReviewRepos,
  acks: readonly PlannedAck[],
): Promise<void> {
  for (const { text, acceptance } of acks) {
    if (text !== undefined) await blobs.keep(acceptance.noteBlob, text);
    await acceptances.append(acceptance);
  }
}

/** Of two people who act on the same pair at once, the second is refused. */
export function pairMoved(
  { note, gate }: TargetPair,
  now = "another person settled it",
): WorkflowError {
  return new WorkflowError(`${note.path} and ${gate.id} have changed since you looked: ${now}.`, {
    code: "pair-moved",
    facts: { note: note.path, gate: gate.id },
    hint: "Nothing was changed. Look at the pair again before you decide.",
  });
}

function requestOf(pair: TargetPair) {
  const { note, gate, accepted } = pair;
  const current = snapshotOf(pair, accepted);
  const versions = { noteSha: note.blobSha, gateSha: gate.blobSha };
  return { notePath: note.path, gateId: gate.id, ...versions, ...defined({ current }) };
}

/** `NOTE:GATE`, split at the last colon: a path may contain colons, a gate id may not. */
export function readPairName(
  world: Pick<NotesWorld, "allNotes" | "allGates">,
  name: string,
): { readonly note: string; readonly gate: string } {
  const colon = name.lastIndexOf(":");
  const [note, gate] = [name.slice(0, colon), name.slice(colon + 1)];
  const knowsNote = world.allNotes.some(({ path }) => path === note);
  const knowsGate = world.allGates.some(({ id }) => id === gate);
  if (colon > 0 && knowsNote && knowsGate) return { note, gate };
  const what = knowsGate ? `there is no note ${note}` : `there is no gate ${gate}`;
  throw new ConfigurationError(`"${name}" names no pair: ${colon > 0 ? what : "no colon in it"}.`, {
    code: "pair-unknown",
    facts: { pair: name },
    hint: "Write NOTE:GATE, for example notes/prices.md:prose/stock-phrases.",
  });
}

function neverReviewed(
  asks: readonly { readonly notePath: string; readonly gateId: string }[],
): ConfigurationError {
  const names = asks.map(({ notePath, gateId }) => `${notePath}:${gateId}`);
  return new ConfigurationError(
    `Never reviewed, so there is nothing to acknowledge: ${names.join(", ")}.`,
    {
      code: "never-reviewed",
      facts: { pairs: names },
      hint: "Review them first; nothing was acknowledged.",
    },
  );
}
