import type { CliContext } from "../shell/cli-context.ts";
import { modelsOf, notesSession, type StatusFlags, scopeOf } from "./notes-context.ts";

export async function showStatus(
  cli: CliContext,
  paths: readonly string[],
  flags: StatusFlags,
): Promise<void> {
  const session = await notesSession(cli, flags);
  const models = modelsOf(cli, session, flags);
  if (flags.explain !== undefined) {
    const { explainStatus } = await import("./notes-explain-action.ts");
    return explainStatus(cli, session, { pair: flags.explain, models, json: flags.json === true });
  }
  const request = {
    ...scopeOf(cli, session.root, { paths, flags }),
    models,
    reasons: flags.reason ?? [],
    strictFormat: flags.strictFormat === true,
  };
  const { answerStatus } = await import("./notes-status-answer.ts");
  await answerStatus(cli, session, { request, flags });
}
