import { describeVote } from "../../domain/drafting/panel.ts";
import type { DraftSession, Turn } from "../../domain/drafting/session.ts";
import { describeSignature } from "../../domain/drafting/signature.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Ending } from "../../ports/flow.ts";
import { renderCount } from "../shell/amounts.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";
import { plainPalette } from "../shell/palette.ts";
import { renderRow } from "../shell/row.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { type DecisionInputs, renderWhy } from "./decision-why.ts";
import { renderClosing } from "./draft-closing.ts";
import { renderDraft, renderTurnHeading, renderTurnReview } from "./draft-turn.ts";

export interface SessionView {
  readonly layout?: Layout;
  readonly ending?: Ending;
  readonly record?: string;
  /** Adds how the rule came to its decision. */
  readonly why?: DecisionInputs;
}

/** For files: nothing wrapped, nothing coloured. */
const forFiles: Layout = { width: Number.POSITIVE_INFINITY, palette: plainPalette };

/** A whole session as people read it: every turn with its changes and objections, then how it ended. */
export function renderSessionText(
  session: DraftSession,
  view: SessionView = {},
): readonly string[] {
  const layout = view.layout ?? forFiles;
  const turns = session.turns.flatMap((turn, at) => {
    const before = session.turns[at - 1];
    return [
      ...renderTurnHeading(turn.turnNumber, false, layout),
      ...renderDraft(
        "writer",
        turn.text,
        { verbosity: "verbose", ...(before === undefined ? {} : { previousText: before.text }) },
        layout,
      ),
      ...renderTurnReview(turn.review, [], layout),
      ...renderSignatures(turn, layout),
    ];
  });
  return [
    ...renderOpening(session, layout),
    ...turns,
    "",
    ...renderClosing(
      {
        session,
        verbosity: "normal",
        isShown: true,
        ...defined({ ending: view.ending, record: view.record }),
      },
      layout,
    ),
    ...(view.why === undefined
      ? []
      : [
          "",
          ...layOut([{ text: "Why", style: "heading" }], layout),
          ...renderWhy(view.why, layout),
        ]),
  ];
}

/** How the panel voted, and how each approval was signed. */
function renderSignatures({ vote, signatures = [] }: Turn, layout: Layout): readonly string[] {
  return [
    ...(vote === undefined ? [] : renderRow("vote", [{ text: describeVote(vote) }], layout)),
    ...signatures.flatMap(({ reviewer, beside, ...signature }) => {
      const after = beside === undefined ? "" : `; the first approval came with:\n${beside}`;
      const text = `${reviewer} ${describeSignature(signature)}${after}`;
      return renderRow("signature", [{ text, style: "muted" }], layout);
    }),
  ];
}

function renderOpening(session: DraftSession, layout: Layout): readonly string[] {
  const limit = `at most ${renderCount(session.maxTurns, "turn")}`;
  const standIn = session.standIn ? " (rule-based stand-ins)" : "";
  return [
    ...layOut([{ text: `Draft ${session.runId}`, style: "strong" }], layout),
    "",
    ...renderRow("brief", [{ text: session.userInput }], layout),
    ...renderRow("recipe", [{ text: `${stripToLine(session.recipe)}, ${limit}` }], layout),
    ...renderRow("writer", [{ text: `${session.modelName}${standIn}` }], layout),
    ...renderRow("reviewer", [{ text: `${session.reviewerModels.join(", ")}${standIn}` }], layout),
    ...renderRow("started", [{ text: session.createdAt }], layout),
  ];
}
