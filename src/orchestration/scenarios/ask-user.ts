import type { ChainMove } from "../../domain/scenarios/play-step.ts";
import { isQuoted, type UserMove } from "../../domain/scenarios/simulated-user.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Recorded } from "../../ports/journal.ts";
import type { Reply } from "../../ports/runner.ts";
import { replyAuthor } from "../../protocol/drafting/reviewer-reply.ts";
import { renderUserPrompt, type UserTask } from "../../protocol/scenarios/user-prompt.ts";
import { readUserReply, USER_FORMAT_VERSION } from "../../protocol/scenarios/user-reply.ts";
import { askOneReadable, unusableReplies } from "../runs/ask-readable.ts";

interface UserAsk
  extends Pick<
    Extract<ChainMove, { readonly kind: "speak" }>,
    "user" | "turn" | "talk" | "before"
  > {
  readonly attempt: number;
  readonly model: string;
}

/**
 * What the simulated user does next. A reply that cannot be read, or that quotes what no answer says, is asked for once
 * more; a reply that still cannot be read ends the run, which can be resumed: it says nothing about the assistant.
 */
export async function askUser(
  ctx: Pick<FlowContext, "askAll" | "nonce">,
  about: UserAsk,
): Promise<UserMove> {
  const { model, talk, before } = about;
  const askFor = asksOf(ctx, about);
  const answered = await askOneReadable(ctx, askFor({}), {
    read: (ask, reply) => {
      const reading = readUserReply(reply.text, replyAuthor(model, reply));
      const isFirst = (ask.request.task as unknown as UserTask).repair === undefined;
      const isUnproven =
        reading.kind === "readable" &&
        reading.value.kind === "reached" &&
        !isQuoted(reading.value.quote, talk.slice(before));
      return isFirst && isUnproven
        ? {
            kind: "unreadable",
            problems: [
              "no answer to a message of yours contains the quote, or it is too short to prove anything",
            ],
          }
        : reading;
    },
    repair: (_, { problems, text }) => askFor({ repair: { problems, text } }),
  });
  if (answered.kind === "unreadable") {
    throw unusableReplies("The simulated user's reply", [answered]);
  }
  return answered.value;
}

function asksOf(ctx: Pick<FlowContext, "nonce">, about: UserAsk) {
  const { user, turn, talk, before, attempt, model } = about;
  const { persona, goal, maxTurns } = user;
  const at = userKeyOf(attempt, turn);
  return (more: Pick<UserTask, "repair">): Ask => {
    const task: UserTask = {
      ...{ kind: "play-user", persona, goal, talk, before, turnsLeft: maxTurns + 1 - turn },
      nonce: ctx.nonce(at),
      ...more,
    };
    return {
      key: more.repair === undefined ? at : key(at, "repair"),
      request: {
        role: "user",
        model,
        ...renderUserPrompt(task),
        expects: "json",
        settings: {},
        formatVersion: USER_FORMAT_VERSION,
        task: JSON.parse(JSON.stringify(task)) as Json,
        ordinal: turn - 1,
      },
    };
  };
}

/** How the dialogue of an attempt ended, read again from the recorded reply after its last turn. */
export async function readRecordedMove(
  find: (key: Key) => Promise<Recorded | undefined>,
  { attempt, turn, model }: Pick<UserAsk, "attempt" | "turn" | "model">,
): Promise<UserMove | undefined> {
  const at = userKeyOf(attempt, turn);
  const recorded = (await find(key(at, "repair"))) ?? (await find(at));
  const reply = recorded?.value as unknown as Partial<Reply> | undefined;
  if (reply?.text === undefined || reply.finish === "cut") return undefined;
  const reading = readUserReply(reply.text, replyAuthor(model, reply as Reply));
  return reading.kind === "readable" ? reading.value : undefined;
}

/** Where the journal of a scenario's run keeps what the simulated user does at a turn. */
function userKeyOf(attempt: number, turn: number): Key {
  return key("attempt", attempt, "user", turn);
}
