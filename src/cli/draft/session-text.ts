import { describeVote } from "../../domain/drafting/panel.ts";
import type { DraftSession, Turn } from "../../domain/drafting/session.ts";
import { describeSignature } from "../../domain/drafting/signature.ts";
import { deciderOf } from "../../domain/evidence/decider-of.ts";
import type { Decider, Standing } from "../../domain/evidence/standing.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Budget, Ending } from "../../ports/flow.ts";
import { renderCount } from "../shell/amounts.ts";
import { commandRows } from "../shell/copyable-command.ts";
import { type Layout, type Line, layOutLines } from "../shell/lay-out.ts";
import { plainPalette } from "../shell/palette.ts";
import { row } from "../shell/row.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { bad, good, heading, muted, strong } from "../shell/styles.ts";
import { type DecisionInputs, whyLines } from "./decision-why.ts";
import { renderClosing } from "./draft-closing.ts";
import { draftLines, reviewLines, turnHeading } from "./draft-turn.ts";

export interface SessionView {
  readonly layout?: Layout;
  readonly ending?: Ending;
  /** The run's limit, if it has one. */
  readonly budget?: Budget;
  /** Whether the record follows from its evidence. */
  readonly standing?: Standing;
  /** Adds how the rule came to its decision. */
  readonly why?: DecisionInputs;
}

/** For files: nothing wrapped, nothing coloured. */
const forFiles: Layout = { width: Number.POSITIVE_INFINITY, palette: plainPalette };

/** A whole session for people: every turn with its changes and objections, then how it ended. */
export function renderSessionText(
  session: DraftSession,
  { layout = forFiles, ending, budget, standing, why }: SessionView = {},
): readonly string[] {
  const { palette } = layout;
  const turns = session.turns.flatMap((turn, at) => {
    const { turnNumber, text, review } = turn;
    const previousText = session.turns[at - 1]?.text;
    const context = { verbosity: "verbose", palette, ...defined({ previousText }) } as const;
    return [
      ...turnHeading(turnNumber, false),
      ...draftLines("writer", text, context),
      ...reviewLines(review, []),
      ...signatureLines(turn),
      ...loserLines(turn),
    ];
  });
  const closing = {
    session,
    verbosity: "normal",
    isShown: true,
    ...defined({ ending, budget }),
  } as const;
  return [
    ...layOutLines([...openingLines(session), ...turns, ""], layout),
    ...renderClosing(closing, layout),
    ...layOutLines(evidenceLines(standing), layout),
    ...(why === undefined ? [] : layOutLines(["", heading("Why"), ...whyLines(why)], layout)),
  ];
}

/** Only of an acceptance: a loop that ended without one says so already. */
function evidenceLines(standing: Standing | undefined): readonly Line[] {
  if (standing === undefined) return [];
  if (standing.accepted)
    return [row("evidence", [good(standing.support), ": derived from the record just now"])];
  return standing.missing.flatMap(({ text, command }) => [
    row("evidence", [bad("not accepted"), `: ${text}`]),
    ...(command === undefined ? [] : commandRows("next", [command])),
  ]);
}

/** The drafts that were not kept, each with what was said about it. */
function loserLines({ losers = [] }: Turn): readonly Line[] {
  return losers.flatMap(({ text, review }) => [
    row("not kept", [muted(text.trim())]),
    ...reviewLines(review, []),
  ]);
}

/** How the panel voted, and how each approval was signed. */
function signatureLines({ vote, signatures = [] }: Turn): readonly Line[] {
  return [
    vote !== undefined && row("vote", [describeVote(vote)]),
    ...signatures.map(({ reviewer, beside, ...signature }) => {
      const after = beside === undefined ? "" : `; the first approval came with:\n${beside}`;
      return row("signature", [muted(`${reviewer} ${describeSignature(signature)}${after}`)]);
    }),
  ];
}

function openingLines(session: DraftSession): readonly Line[] {
  const limit = `at most ${renderCount(session.maxTurns, "turn")}`;
  const { reviewers, reviewerModels } = session;
  return [
    strong(`Draft ${session.runId}`),
    "",
    row("brief", [session.userInput]),
    row("recipe", [`${stripToLine(session.recipe)}, ${limit}`]),
    row("writer", [markedModel(session.modelName)]),
    ...(reviewers.length > 1
      ? reviewers.map(({ label, model }) => row(label, [`reviewer, ${markedModel(model)}`]))
      : [row("reviewer", [reviewerModels.map(markedModel).join(", ")])]),
    row("started", [session.createdAt]),
  ];
}

function markedModel(model: string): string {
  const mark = marks[deciderOf(model)];
  return mark === undefined ? model : `${model} (${mark}, not a model)`;
}

const marks: { readonly [decider in Decider]?: string } = {
  scripted: "a script",
  stand_in: "a built-in stand-in",
};
