import type { ReviewDecision } from "./decision.ts";
import type { NoteFinding } from "./findings.ts";
import type { PanelJudge } from "./panel-vote.ts";
import type { PromptShape } from "./review-plan.ts";

/** One review call with everything it needs, frozen before the prompt is made. */
export interface ReviewJob {
  readonly shape: PromptShape;
  readonly model: string;
  /** The member of a panel that is asked, if it has a name of its own. */
  readonly member?: JobMember;
  /** Whether an agent outside this program writes the reply. */
  readonly live: boolean;
  readonly aliases: { readonly [spelling: string]: string };
  /** In the order of the prompt. */
  readonly notes: readonly JobNote[];
  readonly gates: readonly JobGate[];
}

export type JobMember = Required<Pick<PanelJudge, "name" | "judge" | "instructions">>;

export interface JobNote {
  readonly path: string;
  readonly blobSha: string;
  readonly text: string;
  readonly links: readonly JobLink[];
}

export interface JobLink {
  readonly text: string;
  readonly destination: string;
  readonly path?: string;
}

export interface JobGate {
  readonly id: string;
  readonly blobSha: string;
  readonly body: string;
}

/** What a reviewer said about one pair, as far as it could be read. */
export interface PairReview {
  readonly notePath: string;
  readonly gateId: string;
  readonly decision: ReviewDecision;
  readonly text: string;
  readonly summary?: string;
  readonly findings: readonly NoteFinding[];
  readonly suggestedRevision?: string;
}

/** How a review call came out. Without all of its blocks nothing of it counts. */
export interface ReviewOutcome {
  readonly askedModel: string;
  readonly answeredModel: string;
  /** Where its rows belong: the partition of the model that really answered. */
  readonly partition: string;
  readonly raw: string;
  readonly reviews: readonly PairReview[];
  /** Pairs without a readable block; any of them fails the run. */
  readonly missing: readonly { readonly notePath: string; readonly gateId: string }[];
  readonly problem?: string;
  readonly finishedAt: string;
}

export function pairsOfJob(
  job: Pick<ReviewJob, "notes" | "gates">,
): readonly { readonly notePath: string; readonly gateId: string }[] {
  return job.notes.flatMap((note) =>
    job.gates.map((gate) => ({ notePath: note.path, gateId: gate.id })),
  );
}
