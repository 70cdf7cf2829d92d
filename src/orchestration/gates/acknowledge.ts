import { planAcks } from "../../domain/gates/acceptance.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { AcceptanceRow, NewAcceptance, ReviewRepos } from "../../ports/review-repos.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { selectPairs, type TargetPair } from "./select-pairs.ts";

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
  const act = {
    kind: "trivial-change-ack",
    reason: "no watched part changed",
    by: how.by,
  } as const;
  const acks = planAppends(tools, pairs, act);
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
  const targets = new Map<string, TargetPair[]>();
  const add = (pair: TargetPair) => {
    const key = `${pair.note.path}\n${pair.gate.id}`;
    targets.set(key, [...(targets.get(key) ?? []), pair]);
  };
  const { stale } = await selectPairs(tools, world, { models: asked.models, onFresh: add });
  for (const pair of stale) add(pair);
  const pairs = wanted.flatMap(({ note, gate }) => {
    const found = targets.get(`${note}\n${gate}`);
    if (found === undefined) throw notApplicable(note, gate);
    return found;
  });
  const plan = planAcks(pairs.map(requestOf));
  if (plan.kind === "refused") throw neverReviewed(plan.neverReviewed);
  const open = new Set(plan.pairs.map((ask) => `${ask.notePath}\n${ask.gateId}`));
  const chosen = [...new Set(pairs)].filter(
    ({ note, gate, state }) => state.kind !== "fresh" && open.has(`${note.path}\n${gate.id}`),
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

/** Looks again inside the transaction: pairs settled since they were selected are left out, so no act is done twice. */
async function unmovedOf(
  reviews: ReviewRepos,
  pairs: readonly TargetPair[],
): Promise<readonly TargetPair[]> {
  const settled = new Set<string>();
  for (const path of new Set(pairs.map(({ note }) => note.path))) {
    for (const one of await reviews.acceptances.currentOf(path)) settled.add(versionKey(one));
  }
  return pairs.filter(
    ({ note, gate, model }) =>
      !settled.has(
        versionKey({
          ...{ notePath: note.path, noteBlob: note.blobSha, model },
          ...{ gateId: gate.id, gateBlob: gate.blobSha },
        }),
      ),
  );
}

function versionKey(
  of: Pick<AcceptanceRow, "notePath" | "noteBlob" | "gateId" | "gateBlob" | "model">,
): string {
  return [of.notePath, of.noteBlob, of.gateId, of.gateBlob, of.model].join("\n");
}

/** An acknowledgement ready to be written: files are read here, so that the transaction touches rows only. */
export interface PlannedAck {
  readonly pair: TargetPair;
  /** The text as it is now, kept so that the act can be judged later. */
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
    const { note, gate, model, accepted } = pair;
    if (accepted === undefined) return [];
    const now = tools.source.readText(note.path);
    const acceptance = {
      notePath: note.path,
      gateId: gate.id,
      model,
      noteBlob: note.blobSha,
      gateBlob: gate.blobSha,
      decision: accepted.decision,
      kind: act.kind,
      format: accepted.format,
      reason: act.reason,
      by: act.by,
      at,
    };
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
export function pairMoved({ note, gate }: TargetPair, now = "somebody settled it"): WorkflowError {
  return new WorkflowError(`${note.path} and ${gate.id} have moved since you looked: ${now}.`, {
    code: "pair-moved",
    facts: { note: note.path, gate: gate.id },
    hint: "Look at it again and decide anew; nothing was changed.",
  });
}

function requestOf({ note, gate, accepted }: TargetPair) {
  return {
    notePath: note.path,
    gateId: gate.id,
    noteSha: note.blobSha,
    gateSha: gate.blobSha,
    ...(accepted === undefined
      ? {}
      : {
          current: {
            notePath: note.path,
            gateId: gate.id,
            modelId: "",
            acceptedNoteSha: accepted.noteBlob,
            acceptedGateSha: accepted.gateBlob,
          },
        }),
  };
}

/** `NOTE:GATE`; a path may hold colons, a gate id may not, so the last one that names a gate divides. */
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

function notApplicable(note: string, gate: string): ConfigurationError {
  return new ConfigurationError(`The gate ${gate} does not apply to ${note}.`, {
    code: "pair-not-applicable",
    facts: { note, gate },
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
