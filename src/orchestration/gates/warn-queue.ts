import {
  groupByNote,
  type NoteFinding,
  type NoteWork,
  workOf,
} from "../../domain/gates/findings.ts";
import { type Dismissal, paragraphDigest } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { GateReviewRow } from "../../ports/review-repos.ts";
import { knownModels } from "./current-acceptances.ts";
import { reviewBehind } from "./filed-verdicts.ts";
import { FindingDetails } from "./finding-details.ts";
import { loadWorld, type NotesScope, type NotesWorld } from "./load-world.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { type FindingParts, placeFinding } from "./place-finding.ts";
import { noteTextOf } from "./plan-work.ts";
import { addRulings, HoldingDismissals, loadRulings } from "./rulings.ts";
import { selectPairs } from "./select-pairs.ts";
import { isClear, type TargetPair } from "./target-pair.ts";

export interface WorkItem {
  readonly notePath: string;
  readonly gate: string;
  readonly model: string;
  readonly severity: string;
  readonly message: string;
  readonly quote?: string;
  readonly line?: number;
  readonly fingerprint: string;
  readonly survivesRewording: boolean;
  readonly suggestedRevision?: string;
  /** Why it may no longer be true: the note or the gate has changed. */
  readonly outdated?: string;
  /** Why it needs no work: the finding is dismissed, or the verdict overridden. */
  readonly dismissed?: string;
  /** Absent where only the lock knows the review. */
  readonly run?: number;
  /** Names the finding within its pair; absent where the verdict has no finding to dismiss. */
  readonly anchor?: string;
  readonly gateBlob: string;
  readonly noteBlob: string;
}

/** The warnings and failures that count, and those that counted before a change; most findings first. */
export async function loadWork(
  tools: NotesTools,
  scope: NotesScope & { readonly includeDismissed: boolean },
): Promise<readonly NoteWork<WorkItem>[]> {
  const world = await loadWorld(tools, scope);
  const models = await knownModels(tools);
  const pairs: TargetPair[] = [];
  const onFresh = (pair: TargetPair): unknown => pairs.push(pair);
  const onPassing = (): void => undefined;
  const { stale } = await selectPairs(tools, world, { models, onFresh, onPassing });
  const parts = {
    tools,
    dismissals: new HoldingDismissals(tools, await loadRulings(tools)),
    details: await FindingDetails.load(tools, []),
  };
  const items: WorkItem[] = [];
  const open = [...pairs, ...stale].filter(({ accepted }) => accepted && !isClear(accepted));
  const byNote = Map.groupBy(open, ({ note }) => note.path);
  for (const [path, own] of byNote) {
    const rows = await tools.store?.read(({ reviews }) => reviews.gateReviews.ofNote(path));
    for (const pair of own) items.push(...(await itemsOf(parts, pair, rows ?? [])));
  }
  if (scope.paths.length + scope.gates.length === 0) items.push(...(await goneFrom(parts, world)));
  return groupByNote(
    items.filter(({ dismissed }) => dismissed === undefined || scope.includeDismissed),
  );
}

type Review = Pick<GateReviewRow, "decision" | "summary" | "suggestedRevision"> & {
  readonly findings: readonly NoteFinding[];
};

async function itemsOf(
  parts: FindingParts,
  { note, gate, model, accepted, state }: TargetPair,
  rows: readonly GateReviewRow[],
): Promise<readonly WorkItem[]> {
  if (accepted === undefined) return [];
  const { says, override, decision, noteBlob, gateBlob } = accepted;
  const row = reviewBehind(rows, { gateId: gate.id, model }, { ...accepted, decision: says });
  const run = row && (await parts.tools.store?.read(({ reviews }) => reviews.runs.find(row.run)));
  const about = { notePath: note.path, gate: gate.id, model };
  const outdated = state.kind === "fresh" ? undefined : state.reason;
  const more = { noteBlob, gateBlob, ...defined({ outdated, run: run?.number }) };
  if (override !== undefined && decision !== "pass") {
    const summary = `${override.by} says ${decision}: ${override.reason}`;
    return placeItems(parts, about, { decision, findings: [], summary }, more);
  }
  const name = { notePath: note.path, gateId: gate.id, modelId: model };
  // Where the review itself is elsewhere, the file beside the lock may know its words.
  const known: Review = row ?? {
    decision: says,
    findings: (accepted.findings ?? []).flatMap((one) => parts.details.of(name, one) ?? []),
    summary: `The review says ${says}; its findings are in the store where it was made.`,
  };
  const isCleared = known.findings.length === 0 && decision === "pass";
  const dismissed =
    override === undefined
      ? isCleared
        ? "all its findings are dismissed"
        : undefined
      : `overridden by ${override.by}: ${override.reason}`;
  const items = placeItems(parts, about, known, more);
  return items.map((item) => ({ ...item, ...defined({ dismissed }) }));
}

/** Findings about notes or gates that do not exist any more. */
async function goneFrom(
  parts: FindingParts,
  { allNotes, allGates }: NotesWorld,
): Promise<readonly WorkItem[]> {
  const notes = new Set(allNotes.map(({ path }) => path));
  const gates = new Set(allGates.map(({ id }) => id));
  const rows = await parts.tools.store?.read(({ reviews }) => reviews.gateReviews.latestWork());
  return (rows ?? []).flatMap((row) => {
    const { notePath, gateId, model, noteBlob, gateBlob } = row;
    if (notes.has(notePath) && gates.has(gateId)) return [];
    const outdated = notes.has(notePath) ? "the gate is gone" : "the note is gone";
    const about = { notePath, gate: gateId, model };
    return placeItems(parts, about, row, { noteBlob, gateBlob, outdated });
  });
}

function placeItems(
  parts: FindingParts,
  about: Pick<WorkItem, "notePath" | "gate" | "model">,
  review: Review,
  more: Pick<WorkItem, "noteBlob" | "gateBlob" | "outdated" | "run">,
): readonly WorkItem[] {
  const hasFindings = review.findings.some(({ severity }) => severity !== "info");
  const { suggestedRevision } = review;
  return workOf(review).map((finding) => {
    const placed = placeFinding(parts, about.notePath, about.gate, finding);
    const { severity, message, quote, line, id, anchor, survivesRewording, dismissal } = placed;
    return {
      ...{ ...about, severity, message, fingerprint: id, survivesRewording },
      ...defined({ quote, line, suggestedRevision, dismissed: dismissal?.reason }),
      ...(hasFindings ? { anchor } : {}),
      ...more,
    };
  });
}

/** Records that a finding needs no work. This holds until the paragraph it is about changes. */
export async function dismissFinding(
  tools: WritingTools,
  about: {
    readonly fingerprint: string;
    readonly reason: string;
    readonly by: string;
    readonly expires?: string;
    /** The person saw it open: fail if it is already dismissed. */
    readonly seenOpen?: boolean;
  },
): Promise<WorkItem> {
  const { all } = await loadRulings(tools);
  const item = await findItem(tools, about.fingerprint);
  const { fingerprint, dismissed, anchor, notePath, gate: gateId, noteBlob, gateBlob } = item;
  if (about.seenOpen === true && dismissed !== undefined)
    throw alreadyDismissed(fingerprint, dismissed);
  if (anchor === undefined) throw nothingToDismiss(item);
  const { reason, by, expires } = about;
  const isSame = (one: Dismissal): boolean =>
    one.anchor === anchor && one.notePath === notePath && one.gateId === gateId;
  const known = dismissalsIn(all).filter(isSame).length;
  const paragraph = paragraphDigest(noteTextOf(tools, notePath), item.quote, tools.digest);
  await addRulings(tools, async (present) => {
    const other = dismissalsIn(present.all).filter(isSame)[known];
    if (other !== undefined) throw alreadyDismissed(fingerprint, other.reason);
    const named = { notePath, gateId, noteBlob, gateBlob, anchor, paragraph };
    return [
      { kind: "dismiss", ...named, by, reason, at: tools.clock.now(), ...defined({ expires }) },
    ];
  });
  return item;
}

function dismissalsIn(rulings: Awaited<ReturnType<typeof loadRulings>>["all"]) {
  return rulings.filter((one) => one.kind === "dismiss");
}

async function findItem(tools: WritingTools, asked: string): Promise<WorkItem> {
  const scope = { paths: [], gates: [], includeDismissed: true };
  const work = (await loadWork(tools, scope)).flatMap(({ items }) => items);
  const matching = work.filter(({ fingerprint }) => fingerprint.startsWith(asked));
  const distinct = new Set(matching.map(({ fingerprint }) => fingerprint));
  const [item] = matching;
  if (item !== undefined && distinct.size === 1) return item;
  throw new ConfigurationError(
    item === undefined ? `There is no finding ${asked}.` : `Several findings begin with ${asked}.`,
    {
      code: item === undefined ? "finding-unknown" : "finding-ambiguous",
      facts: { fingerprint: asked },
      hint: "`signoff notes warns` lists them.",
    },
  );
}

/** Of two people who dismiss the same finding at once, the second gets this. */
export function alreadyDismissed(fingerprint: string, reason: string): WorkflowError {
  return new WorkflowError(`This finding was dismissed meanwhile: ${reason}`, {
    code: "already-dismissed",
    facts: { fingerprint },
  });
}

function nothingToDismiss({ notePath, gate, fingerprint }: WorkItem): ConfigurationError {
  return new ConfigurationError(
    `The review of ${notePath} against ${gate} names no finding that could be dismissed here.`,
    {
      code: "finding-missing",
      facts: { fingerprint },
      hint: `Override the verdict: \`signoff notes override ${shellWord(`${notePath}:${gate}`)} --to pass\``,
    },
  );
}
