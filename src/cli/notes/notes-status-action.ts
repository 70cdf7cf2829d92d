import { listNotesAhead, startNotesForReading } from "../../wiring/features/notes-reading.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { modelsOf, notesRoot, notesSession, type StatusFlags, scopeOf } from "./notes-context.ts";

export async function showStatus(
  cli: CliContext,
  paths: readonly string[],
  flags: StatusFlags,
): Promise<void> {
  // Git takes as long as reading the settings and loading the rest do: it starts first.
  const source = await listNotesAhead(notesRoot(cli));
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
  const { environment } = cli;
  const { settings } = loaded;
  const started = await startNotesForReading({ root, environment, settings, source });
  const { answerStatus } = await import("./notes-status-answer.ts");
  await answerStatus(cli, session, { started, request, flags });
}
