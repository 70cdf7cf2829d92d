import type { RunId } from "../../domain/values/ids.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Holder } from "../../ports/run-store.ts";

export function heldBy(run: RunId, holder: Holder): RunHeld {
  return new RunHeld(
    `Run ${run} is held by process ${holder.pid} on ${holder.host} since ${holder.since}.`,
    {
      code: "run-held",
      facts: { run, pid: holder.pid, host: holder.host, since: holder.since },
      hint: "Wait for it to end, or stop that process and run the command again.",
    },
  );
}
