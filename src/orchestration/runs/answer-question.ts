import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Answer } from "../../ports/question.ts";
import type { Decision, RunStore } from "../../ports/run-store.ts";

export type QuestionAnswer = Omit<Answer, "at">;

/** Answers an open question once and resumes the run that waits for it. A second answer fails and names the first. */
export async function answerQuestion(
  parts: { readonly store: RunStore; readonly engine: Engine; readonly clock: Clock },
  question: { readonly id: string; readonly version: number },
  answer: QuestionAnswer,
): Promise<RunId> {
  const { store, engine, clock } = parts;
  const asked = await store.findDecision(question.id);
  if (asked === undefined) throw unknownQuestion(question.id);
  if (asked.answer !== undefined) throw alreadyDecided(asked);
  requireFitting(asked, answer);
  const outcome = await engine.answer(
    question.id,
    { ...answer, at: clock.now() },
    question.version,
  );
  if (outcome === "recorded") return asked.run;
  throw alreadyDecided((await store.findDecision(question.id)) ?? asked);
}

export function unknownQuestion(id: string): WorkflowError {
  return new WorkflowError(`There is no open question ${id}.`, {
    code: "decision-unknown",
    facts: { question: id },
    hint: "See `signoff inbox`.",
  });
}

/** A question without choices wants a text. */
function requireFitting(asked: Decision, { choice, text }: QuestionAnswer): void {
  const { choices } = asked.question;
  if (choices.length > 0 && !choices.includes(choice)) throw unknownChoice(asked, choice);
  if (choices.length > 0 || text !== undefined) return;
  throw new ConfigurationError(`The question ${asked.id} wants a text as its answer.`, {
    code: "text-missing",
    facts: { question: asked.id },
  });
}

function unknownChoice({ id, question }: Decision, choice: string): ConfigurationError {
  return new ConfigurationError(`"${choice}" is none of: ${question.choices.join(", ")}.`, {
    code: "choice-unknown",
    facts: { question: id, choices: question.choices },
  });
}

function alreadyDecided({ id, answer }: Decision): WorkflowError {
  const { by = "Another person", choice = "this", at } = answer ?? {};
  const what = answer === undefined ? choice : `"${choice}"`;
  return new WorkflowError(`${by} answered ${what} meanwhile; nothing was changed.`, {
    code: "already-decided",
    facts: { question: id, ...defined({ by: answer?.by, at }) },
  });
}
