import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Flow, Job } from "../../ports/flow.ts";

/** The work on several assets of one episode, side by side. It ends well only when all of them did. */
export const assetsFlow: Flow = async (ctx, json) => {
  const { jobs } = json as unknown as { readonly jobs: readonly Job[] };
  const endings = await ctx.children(jobs);
  const failed = endings.find((ending) => ending.kind === "failed");
  if (failed !== undefined) {
    const { code, message, retryable } = failed.error;
    throw new AgentError(message, { code, retryable });
  }
  const undone = endings.filter((ending) => ending.kind !== "finished").length;
  if (undone > 0) {
    throw new AgentError(`${undone} of ${jobs.length} assets were not finished.`, {
      code: endings.some((one) => one.kind === "stopped" && one.reason === "budget")
        ? "over-budget"
        : "interrupted",
    });
  }
  return { endings: endings as unknown as Json };
};
