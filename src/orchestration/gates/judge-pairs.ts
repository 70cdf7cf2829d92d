import { countingVerdict, isWorse, outranks } from "../../domain/gates/counting-verdict.ts";
import {
  classifyUnfitting,
  freshState,
  type UndecidedReviews,
} from "../../domain/gates/pair-state.ts";
import {
  type FiledFinding,
  type PairRuling,
  type Ruling,
  ruleVerdict,
} from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { GateReviewRow } from "../../ports/review-repos.ts";
import {
  type Filed,
  type FiledPair,
  filedFindings,
  reviewBehind,
  VersionDigests,
} from "./filed-verdicts.ts";
import type { NotesTools } from "./notes-tools.ts";
import { asFiled, HoldingDismissals, type Rulings, rulingsOfPair } from "./rulings.ts";
import { type Accepted, pairKey, snapshotOf, type TargetPair } from "./target-pair.ts";
import { TimeSlices } from "./time-slices.ts";

interface Judging {
  readonly rulings: Rulings;
  readonly undecided: ReadonlyMap<string, UndecidedReviews>;
  readonly lockOnly: boolean;
}

/** Which verdict counts for each pair, and what rulings make of it. */
export async function judgePairs(
  tools: NotesTools,
  open: readonly FiledPair[],
  about: Judging,
): Promise<readonly TargetPair[]> {
  const pace = new TimeSlices(tools.clock);
  const pairs: FiledPair[] = [];
  await pace.forEach(open, (pair) => pairs.push({ ...pair, filed: relevantTo(pair) }));
  const digests = await VersionDigests.load(tools, pairs);
  const store = about.lockOnly ? undefined : tools.store;
  const paths = new Set(pairs.map(({ note }) => note.path));
  const ruled = [...about.rulings.byNote.keys()].filter((path) => paths.has(path));
  const behind = new Map<string, readonly GateReviewRow[]>();
  for (const path of ruled)
    behind.set(path, (await store?.read(({ reviews }) => reviews.gateReviews.ofNote(path))) ?? []);
  const judge = new PairJudge({ ...about, tools, digests, behind });
  const judged: TargetPair[] = [];
  await pace.forEach(pairs, (pair) => judged.push(judge.judge(pair)));
  return judged;
}

/** Leaves out what cannot change the answer, so that most texts need not be read. */
function relevantTo({ note, gate, filed }: FiledPair): readonly Filed[] {
  const isEqual = (one: Filed): boolean =>
    one.noteBlob === note.blobSha && one.gateBlob === gate.blobSha;
  const base = countingVerdict(filed.filter(isEqual));
  if (base === undefined) return filed;
  return filed.filter(
    (one) => isEqual(one) || outranks(one) || isWorse(one.decision, base.decision),
  );
}

interface JudgeParts extends Judging {
  readonly tools: NotesTools;
  readonly digests: VersionDigests;
  readonly behind: ReadonlyMap<string, readonly GateReviewRow[]>;
}

class PairJudge {
  readonly #parts: JudgeParts;
  readonly #dismissals: HoldingDismissals;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    this.#dismissals = new HoldingDismissals(parts.tools, parts.rulings);
  }

  judge(pair: FiledPair): TargetPair {
    const { note, gate, model } = pair;
    const { digests, rulings } = this.#parts;
    const target = { note, gate, model, trivial: false };
    const own = rulings.byNote.get(note.path);
    const counting = countingVerdict(digests.fitting(pair));
    const override = own && this.#overrideOf(pair, own);
    const verdict = counting ?? (override && asFiled(override));
    if (verdict === undefined) return { ...target, ...this.#unfitting(pair) };
    const findings = own === undefined ? undefined : this.#findingsOf(pair, verdict);
    const ruled = ruleVerdict(
      { decision: verdict.decision, findings: findings ?? [] },
      override,
      this.#dismissals.of(note.path, gate.id),
    );
    const accepted: Accepted = {
      ...verdict,
      ...defined({ findings: findings ?? verdict.findings, override }),
      ...{ decision: ruled.decision, says: ruled.filed, dismissed: ruled.dismissed.length },
    };
    const isSame = verdict.noteBlob === note.blobSha && verdict.gateBlob === gate.blobSha;
    return {
      ...{ ...target, state: freshState, accepted },
      trivial: !isSame && verdict.from !== "rulings",
    };
  }

  /** The store knows what came last; of lines without an order, the worst is the one to go on from. */
  #unfitting(pair: FiledPair): Pick<TargetPair, "state" | "accepted"> {
    const { note, gate, model, filed } = pair;
    const earlier = filed.find(({ from }) => from === "store") ?? countingVerdict(filed);
    const undecided = this.#parts.undecided.get(pairKey(note.path, gate.id, model));
    const isSameGate = earlier !== undefined && this.#fitsGate(pair, earlier);
    const basis = earlier && {
      ...earlier,
      gateBlob: isSameGate ? gate.blobSha : earlier.gateBlob,
    };
    const state = classifyUnfitting({
      ...{ note, gate },
      ...defined({ earlier: snapshotOf({ note, gate, model }, basis), undecided }),
    });
    const accepted = earlier && { ...earlier, says: earlier.decision, dismissed: 0 };
    return { state, ...defined({ accepted }) };
  }

  #fitsGate({ note, gate }: FiledPair, earlier: Filed): boolean {
    const asNow = { ...earlier, noteBlob: note.blobSha };
    return this.#parts.digests.fitting({ note, gate, filed: [asNow] }).length > 0;
  }

  /** The newest override of these versions. */
  #overrideOf({ note, gate, model }: FiledPair, own: readonly Ruling[]): PairRuling | undefined {
    const overrides = rulingsOfPair(own, gate.id, model).overrides.map((ruling) => ({
      ...{ ...asFiled(ruling), ruling },
    }));
    return this.#parts.digests
      .fitting({ note, gate, filed: overrides })
      .map(({ ruling }) => ruling)
      .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
      .at(-1);
  }

  #findingsOf({ note, gate, model }: FiledPair, verdict: Filed): readonly FiledFinding[] {
    if (verdict.findings !== undefined) return verdict.findings;
    const rows = this.#parts.behind.get(note.path) ?? [];
    const review = reviewBehind(rows, { gateId: gate.id, model }, verdict);
    return filedFindings(this.#parts.tools, review?.findings ?? []);
  }
}
