import type { NewAcceptance, PairVersions, ReviewRepos } from "../../ports/review-repos.ts";
import type { WritingTools } from "./notes-tools.ts";
import { type TargetPair, versionsOf } from "./target-pair.ts";

export interface Acked {
  readonly pairs: readonly TargetPair[];
  readonly written: boolean;
}

export interface AckAct {
  readonly kind: "trivial-change-ack" | "relocation-ack";
  readonly reason: string;
  readonly by: string;
}

/** Files the verdict of pairs that changed only where no review looks under their present versions. */
export async function acknowledgeTrivial(
  tools: WritingTools,
  pairs: readonly TargetPair[],
  how: { readonly by: string; readonly dryRun: boolean },
): Promise<Acked> {
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

/** Checked again inside the transaction: leaves out pairs that were settled after they were selected. */
export async function unmovedOf(
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

export function versionKey(of: PairVersions & { readonly model: string }): string {
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
    const { says: decision, format } = accepted;
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
