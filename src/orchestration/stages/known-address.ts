import type { StageFacts } from "../../contract/stages/stage-record.ts";
import { isSameAssistant } from "../../domain/scenarios/assistant-identity.ts";
import { assistantsOf } from "../../domain/stages/same-assistant.ts";
import type { StageHistory } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { wasNeverHeard } from "../scenarios/start-run.ts";
import type { StageRecords } from "./stage.ts";

type Addresses = Pick<StageFacts, "assistantUrl" | "openUrl">;

/**
 * Where a command asks that gives no address: an open loop goes on where it was started, unless no answer came from there;
 * otherwise the address that was given last and answered.
 */
export async function knownAddress(
  store: StageRecords,
  folder: string,
  { assistantUrl, openUrl, openLoop }: Addresses & Pick<StageFacts, "openLoop">,
): Promise<string | undefined> {
  if (openLoop === undefined || openUrl === undefined) return assistantUrl;
  const place = `${folder}/domain_loops/${openLoop}`;
  const run = (await store.read(({ stages }) => stages.runsBelow("pack-loop", place))).at(-1);
  const record = run && (await store.runs.load(run));
  return record !== undefined && wasNeverHeard(record) ? assistantUrl : openUrl;
}

/** What is kept of the address that a command was given. */
export function keptAddresses(
  given: string | undefined,
  now: {
    readonly history: StageHistory;
    readonly before: Addresses | undefined;
    /** The loop that the command begins, `none` if it ends one. */
    readonly openLoop: string | undefined;
  },
): Addresses {
  const { history, before, openLoop } = now;
  const { ours } = assistantsOf(history);
  const isHeard =
    given !== undefined && ours !== undefined && isSameAssistant({ url: given }, { url: ours.url });
  const openUrl = openLoop === undefined ? before?.openUrl : given;
  return defined({
    assistantUrl: isHeard ? given : before?.assistantUrl,
    openUrl: openLoop === "none" ? undefined : openUrl,
  });
}
