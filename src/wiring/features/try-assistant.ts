import { randomUUID } from "node:crypto";
import { createAssistant, type Sighting } from "../../adapters/assistant/create-assistant.ts";
import type { AssistantOutcome, SessionKind } from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";
import { type AssistantAccess, assistantSettingsOf } from "../settings/scenario-settings.ts";

/** One question that was tried: what went over the wire and what was read from it. */
export interface Trial {
  readonly question: string;
  readonly outcome: AssistantOutcome;
  readonly millis: number;
  /** Absent where no reply could be read. */
  readonly sighting?: Sighting;
  /** Where each part of an answer is looked for. */
  readonly expressions: { readonly [part: string]: string };
}

/** Asks questions one after the other in one conversation, and records nothing. */
export async function tryAssistant(
  access: AssistantAccess,
  asked: { readonly baseUrl: string; readonly questions: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly sessions: SessionKind; readonly trials: readonly Trial[] }> {
  const settings = assistantSettingsOf(access, asked.baseUrl);
  const { kind } = settings.session;
  const trials: Trial[] = [];
  let sessionId: string | undefined =
    kind === "client" || kind === "history" ? randomUUID() : undefined;
  const history: { readonly role: "user" | "assistant"; readonly text: string }[] = [];
  for (const question of asked.questions) {
    let sighting: Sighting | undefined;
    const assistant = createAssistant(settings, (seen) => {
      sighting = seen;
    });
    const message = { question, analysisContext: {}, history: [...history] };
    const began = access.clock.monotonic();
    const outcome = await assistant.send({ ...message, ...defined({ sessionId }) }, signal);
    const millis = Math.round(access.clock.monotonic() - began);
    const { answer: expressions } = settings.message;
    trials.push({
      question,
      outcome,
      millis,
      ...defined({ sighting }),
      expressions: { ...expressions },
    });
    if (outcome.kind === "failed") break;
    sessionId = outcome.answer.sessionId ?? sessionId;
    history.push(
      { role: "user", text: question },
      { role: "assistant", text: outcome.answer.text },
    );
  }
  return { sessions: kind, trials };
}
