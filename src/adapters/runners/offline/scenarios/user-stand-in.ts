import type { UserTask } from "../../../../protocol/scenarios/user-prompt.ts";
import { writeUserReply } from "../../../../protocol/scenarios/user-reply.ts";

/** A stand-in for a simulated user: it asks for its goal once, and cannot judge the answer. */
export function userStandIn(task: UserTask): string {
  const wasAsked = task.talk.some(({ question }) => question === task.goal);
  return writeUserReply(
    wasAsked
      ? { kind: "gave-up", why: "the stand-in for a model asks for the goal once" }
      : { kind: "says", text: task.goal },
  );
}
