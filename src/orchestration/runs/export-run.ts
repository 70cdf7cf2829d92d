import type { DraftSession } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { RunRuling } from "../../ports/repos.ts";
import type { LedgerLine } from "../../ports/run-store.ts";
import { loadSession } from "../drafting/load-session.ts";
import { everyPage } from "./every-page.ts";
import { type RunSource, unknownRun } from "./list-runs.ts";

export interface RunExport {
  readonly session: DraftSession;
  readonly calls: readonly LedgerLine[];
  readonly rulings: readonly RunRuling[];
}

const page = 500;

/** A drafting run with its calls and rulings, for use outside. */
export async function exportRun({ store }: RunSource, run: RunId): Promise<RunExport> {
  const loaded = await loadSession(store, run);
  if (loaded === undefined) throw unknownRun(run);
  if (loaded.session === undefined) {
    throw new WorkflowError(`Run ${run} has no session to export.`, {
      code: "run-empty",
      facts: { run },
    });
  }
  const { session } = loaded;
  return store.read(async ({ ledger, rulings }) => {
    const lines = everyPage<LedgerLine>(page, (after) =>
      ledger.lines(run, { limit: page, ...defined({ after }) }),
    );
    const calls: LedgerLine[] = [];
    for await (const line of lines) calls.push(line);
    return { session, calls, rulings: await rulings.of(run) };
  });
}
