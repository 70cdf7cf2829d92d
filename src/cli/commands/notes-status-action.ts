import type { StatusReason } from "../../orchestration/gates/status-report.ts";
import { startNotesForReading } from "../../wiring/notes-reading.ts";
import type { CliContext } from "../cli-context.ts";
import { modelsOf, notesSession, type ScopeFlags, scopeOf } from "./notes-context.ts";

export interface StatusFlags extends ScopeFlags {
  readonly reason?: readonly StatusReason[];
  readonly diff?: boolean;
  readonly strictFormat?: boolean;
  readonly explain?: string;
  readonly all?: boolean;
}

export async function showStatus(
  cli: CliContext,
  paths: readonly string[],
  flags: StatusFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const { root, loaded } = session;
  const models = modelsOf(cli, session, flags);
  if (flags.explain !== undefined) {
    const { explainStatus } = await import("./notes-explain-action.ts");
    return explainStatus(cli, session, { pair: flags.explain, models, json: flags.json === true });
  }
  const request = {
    ...scopeOf(cli, root, { paths, flags }),
    models,
    reasons: flags.reason ?? [],
    strictFormat: flags.strictFormat === true,
  };
  // Git takes as long as loading the rest does: it starts first.
  const started = await startNotesForReading(root, cli.environment, loaded.settings);
  const { answerStatus } = await import("./notes-status-answer.ts");
  await answerStatus(cli, session, { started, request, flags });
}
