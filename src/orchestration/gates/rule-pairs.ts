import { planAcks } from "../../domain/gates/acceptance.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import type { PairRuling, Ruling } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import { type Acked, unmovedOf, versionKey } from "./acknowledge.ts";
import { filedFindings, reviewBehind, VersionDigests } from "./filed-verdicts.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { addRulings } from "./rulings.ts";
import { notApplicable, selectAllPairs } from "./select-pairs.ts";
import { snapshotOf, type TargetPair, versionsOf } from "./target-pair.ts";

/** Who decides what about which pairs, and why. */
export interface PairAct {
  /** Pairs as `NOTE:GATE`. */
  readonly names: readonly string[];
  readonly models: readonly string[];
  readonly reason: string;
  readonly by: string;
  /** The last day on which the ruling holds. */
  readonly expires?: string;
  readonly dryRun: boolean;
}

/** A person says that earlier reviews still hold for the present versions. All pairs or none. */
export async function acknowledgePairs(
  tools: WritingTools,
  world: NotesWorld,
  act: PairAct,
): Promise<Acked> {
  const pairs = await namedPairs(tools, world, act);
  const plan = planAcks(pairs.map(requestOf));
  if (plan.kind === "refused") throw neverReviewed(plan.neverReviewed);
  const chosen = pairs.filter(({ state }) => state.kind !== "fresh");
  return rulePairs(tools, chosen, { ...act, kind: "acknowledge" });
}

/** A person puts another verdict in the place of the one that counts. All pairs or none. */
export async function overridePairs(
  tools: WritingTools,
  world: NotesWorld,
  act: PairAct & { readonly decision: Settled },
): Promise<Acked> {
  const pairs = await namedPairs(tools, world, act);
  const open = pairs.find(({ state }) => state.kind !== "fresh");
  if (open !== undefined) throw nothingToOverride(open);
  const chosen = pairs.filter(({ accepted }) => accepted?.decision !== act.decision);
  return rulePairs(tools, chosen, { ...act, kind: "override" });
}

async function namedPairs(
  tools: WritingTools,
  world: NotesWorld,
  { names, models }: PairAct,
): Promise<readonly TargetPair[]> {
  const { freshPairs, stale } = await selectAllPairs(tools, world, { models });
  const all = [...freshPairs, ...stale];
  const pairs = names
    .map((name) => readPairName(world, name))
    .flatMap(({ note, gate }) => {
      const found = all.filter((pair) => pair.note.path === note && pair.gate.id === gate);
      if (found.length === 0) throw notApplicable(note, gate);
      return found;
    });
  return [...new Set(pairs)];
}

type Act = Omit<PairAct, "names" | "models"> & {
  readonly kind: PairRuling["kind"];
  /** Default: what was filed. */
  readonly decision?: Settled;
};

async function rulePairs(
  tools: WritingTools,
  pairs: readonly TargetPair[],
  act: Act,
): Promise<Acked> {
  if (act.dryRun || pairs.length === 0) return { pairs, written: false };
  const rulings = await rulingsOn(tools, pairs, act);
  await addRulings(tools, async ({ all }) => {
    const still = act.kind === "override" ? pairs : await unsettled(tools, pairs, all);
    const moved = pairs.find((pair) => !still.includes(pair));
    if (moved !== undefined) throw pairMoved(moved);
    return rulings;
  });
  const texts = pairs.map(({ note }) => [note.blobSha, tools.source.readText(note.path)] as const);
  await tools.store.transaction(async ({ reviews }) => {
    for (const [blob, now] of texts)
      if (now.kind === "text") await reviews.blobs.keep(blob, now.text);
  });
  return { pairs, written: true };
}

/** Without those that another person has settled since they were selected. */
async function unsettled(
  { store }: WritingTools,
  pairs: readonly TargetPair[],
  rulings: readonly Ruling[],
): Promise<readonly TargetPair[]> {
  const unmoved = await store.read(({ reviews }) => unmovedOf(reviews, pairs));
  const settled = new Set(
    rulings.flatMap((one) =>
      one.kind === "acknowledge" ? [versionKey({ ...one, model: one.modelId })] : [],
    ),
  );
  return unmoved.filter(
    (pair) => !settled.has(versionKey({ ...versionsOf(pair), model: pair.model })),
  );
}

async function rulingsOn(
  tools: WritingTools,
  pairs: readonly TargetPair[],
  act: Act,
): Promise<readonly Ruling[]> {
  const digests = await VersionDigests.load(tools, []);
  const { kind, by, reason, expires } = act;
  const rulings: Ruling[] = [];
  for (const pair of pairs) {
    const { note, gate, model, accepted } = pair;
    const present = digests.present(note, gate);
    if (present.note === undefined || present.gate === undefined) throw unreadableNote(pair);
    if (accepted === undefined) continue;
    const rows = await tools.store.read(({ reviews }) => reviews.gateReviews.ofNote(note.path));
    const review = reviewBehind(
      rows,
      { gateId: gate.id, model },
      { ...accepted, decision: accepted.says },
    );
    rulings.push({
      ...{ ...versionsOf(pair), kind, modelId: model, decision: act.decision ?? accepted.says },
      digests: { note: present.note, gate: present.gate },
      findings: accepted.findings ?? filedFindings(tools, review?.findings ?? []),
      ...{ by, reason, at: tools.clock.now(), ...defined({ expires }) },
    });
  }
  return rulings;
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

function nothingToOverride({ note, gate }: TargetPair): ConfigurationError {
  const pair = `${note.path}:${gate.id}`;
  return new ConfigurationError(
    `${pair} has no verdict that counts, so there is none to override.`,
    {
      code: "pair-stale",
      facts: { pair },
      hint: `Review it first: \`signoff notes review ${shellWord(note.path)} --gate ${gate.id}\``,
    },
  );
}

function unreadableNote({ note }: TargetPair): ConfigurationError {
  return new ConfigurationError(`The front matter of ${note.path} cannot be read.`, {
    code: "note-unreadable",
    facts: { note: note.path },
    hint: "Correct it first: a ruling is about what the note says.",
  });
}
