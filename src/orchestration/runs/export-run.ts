import type { DraftSession } from "../../domain/drafting/session.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Ruling } from "../../ports/repos.ts";
import type { LedgerLine } from "../../ports/run-store.ts";
import { loadSession } from "../drafting/load-session.ts";
import { type RunSource, unknownRun } from "./list-runs.ts";

export interface RunExport {
  readonly session: DraftSession;
  readonly calls: readonly LedgerLine[];
  readonly rulings: readonly Ruling[];
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
    const calls: LedgerLine[] = [];
    for (;;) {
      const after = calls.at(-1);
      const next = await ledger.lines(run, { limit: page, ...(after && { after }) });
      calls.push(...next);
      if (next.length < page) return { session, calls, rulings: await rulings.of(run) };
    }
  });
}
