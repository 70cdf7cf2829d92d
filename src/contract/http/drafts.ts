import { z } from "zod";
import { panelRules } from "../../domain/drafting/panel.ts";
import { objects, optionalStrictObject, strictObjects } from "../documents/shapes.ts";
import { iterationShape } from "../drafting/iteration.ts";
import { by, reason } from "./parts.ts";
import { rulingShape } from "./rulings.ts";

/**
 * The same choices as the flags of `signoff draft`; the recipe decides about absent members. How long the texts may be is
 * decided where the draft is frozen and where the model's window is known, as for every other way in.
 */
export const newDraftShape = z.strictObject({
  /** May be left out with `from`, which is then judged by the recipe alone. */
  brief: z.string().exactOptional(),
  /** Material that the writer may use and the reviewers check against. */
  context: strictObjects({ name: z.string().min(1).max(255), text: z.string() })
    .max(100)
    .exactOptional(),
  /** A text of one's own: reviewed first, and written on only if it must be. */
  from: z.string().exactOptional(),
  /** Review the text of `from` once and write nothing. */
  reviewOnly: z.boolean().exactOptional(),
  /** Whose text `from` is. */
  by,
  recipe: z.string().max(100).exactOptional(),
  model: z.string().max(200).exactOptional(),
  reviewerModel: z.string().max(200).exactOptional(),
  reviewers: strictObjects({
    label: z.string().max(64),
    model: z.string().max(200).exactOptional(),
  })
    .max(8)
    .exactOptional(),
  panel: z.enum(panelRules).exactOptional(),
  maxTurns: z.int().exactOptional(),
  candidates: z.int().exactOptional(),
  seed: z.int().exactOptional(),
  earlyStop: z.boolean().exactOptional(),
  budget: optionalStrictObject({
    microUsd: z.int().positive().exactOptional(),
    tokens: z.int().positive().exactOptional(),
    seconds: z.number().positive().exactOptional(),
  }),
});

/** Every turn with its candidate, reviews and the ledger of issues after it. */
export const turnsShape = z.object({
  phase: z.enum(["initialized", "generating", "reviewing", "deciding", "completed"]),
  turn: z.int(),
  /** Turns of the generation before a ruling, which this run continues. */
  previous: z.array(iterationShape),
  turns: z.array(iterationShape),
  /** Texts of the turn that is being taken. */
  candidates: objects({ index: z.int(), content: z.string() }),
});

/** A person's act. `version` is the number of rulings the person saw; 409 when there are more by now. */
export const newRulingShape = z.strictObject({
  act: z.enum(["approve", "request_changes", "edit"]),
  version: z.int().min(0),
  /** Why; for `request_changes` it is the objection that the next turn must answer. Only `approve` may do without. */
  reason: reason.exactOptional(),
  /** The turn to approve; absent: the one the loop selected, or the best. */
  turn: z.int().positive().exactOptional(),
  /** The person's own text, for `edit`. */
  text: z.string().min(1).max(100_000).exactOptional(),
  by,
});

export const ruledShape = z.object({
  ruling: rulingShape,
  /** The run that continues after the ruling. */
  nextRunId: z.string().exactOptional(),
});
