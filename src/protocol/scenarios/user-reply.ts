import { z } from "zod";
import type { UserMove } from "../../domain/scenarios/simulated-user.ts";
import { unwrapEnvelope } from "../agents/unwrap-envelope.ts";
import { cleanText } from "../drafting/clean-text.ts";
import { findJson } from "../drafting/json-reply.ts";
import type { ReplyAuthor } from "../drafting/reviewer-reply.ts";

export const USER_FORMAT_VERSION = "1";

const text = z.string().trim().min(1);

/** `goal` decides: a person who says that it is reached asks nothing more. */
const replyShape = z.union([
  z.object({ goal: z.literal("reached"), quote: text }),
  z.object({ goal: z.literal("given_up"), why: text }),
  z.object({ goal: z.undefined().optional(), say: text }),
]);

export type UserReading =
  | { readonly kind: "readable"; readonly value: UserMove }
  | { readonly kind: "unreadable"; readonly problems: readonly string[] };

/** What a simulated user does next, read from a model's reply. */
export function readUserReply(reply: string, author: ReplyAuthor = "model"): UserReading {
  const said = cleanText(author === "command" ? unwrapEnvelope(reply, "all") : reply);
  const json = findJson(said);
  if (json.kind === "broken") return unreadable(json.error);
  const objects = json.kind === "found" ? json.objects : [];
  if (objects.length !== 1) return unreadable(`${objects.length} JSON objects in the reply`);
  const read = replyShape.safeParse(objects[0]);
  if (!read.success) return unreadable('it has neither "say", nor "goal" with "quote" or "why"');
  const { data } = read;
  if ("say" in data) return { kind: "readable", value: { kind: "says", text: data.say } };
  return {
    kind: "readable",
    value:
      data.goal === "reached"
        ? { kind: "reached", quote: data.quote }
        : { kind: "gave-up", why: data.why },
  };
}

/** The reply that means a move. */
export function writeUserReply(move: UserMove): string {
  switch (move.kind) {
    case "says":
      return JSON.stringify({ say: move.text });
    case "reached":
      return JSON.stringify({ goal: "reached", quote: move.quote });
    case "gave-up":
      return JSON.stringify({ goal: "given_up", why: move.why });
  }
}

function unreadable(problem: string): UserReading {
  return { kind: "unreadable", problems: [problem] };
}
