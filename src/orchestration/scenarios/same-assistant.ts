import {
  type AssistantChange,
  type AssistantIdentity,
  assistantName,
  isSameAssistant,
} from "../../domain/scenarios/assistant-identity.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

type Place = Pick<AssistantIdentity, "url" | "name">;

/** The assistant that the job of a run asks. */
export function assistantOfJob(input: Json): Place | undefined {
  if (!isObject(input) || typeof input.assistant_url !== "string") return undefined;
  const { assistant_url: url, assistant_name: name } = input;
  return typeof name === "string" ? { url, name } : { url };
}

/**
 * Runs of two assistants say nothing about each other unless a person vouches for it. Returns what was vouched for, and
 * nothing where the assistant is the same or the earlier one is not known.
 */
export function requireSameAssistant(
  before: Place | undefined,
  now: Place,
  vouched: { readonly reason: string } | undefined,
): AssistantChange | undefined {
  if (before === undefined || isSameAssistant(before, now)) return undefined;
  const [from, to] = [assistantName(before), assistantName(now)];
  const reason = vouched?.reason.trim() ?? "";
  if (reason !== "") return { from, reason };
  throw new ConfigurationError(`The earlier run asked ${from}, this one is of ${to}.`, {
    code: "assistant-changed",
    facts: { before: from, now: to },
    hint: 'If it is the same assistant in another place, add --assistant-changed --reason "…".',
  });
}
