import { rulingsPath } from "../../orchestration/gates/rulings-path.ts";
import { mergeByUnion } from "../../orchestration/gates/union-merge.ts";
import { toolsOf } from "../../wiring/features/notes-reading.ts";
import { loadStarterGates } from "../../wiring/features/starter-gates.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { notesSession } from "./notes-context.ts";

const settingsFile = `version: 1
notes:
  roots: [notes]
  gates: signoff/gates
  lock: signoff.lock
  allow_offline: true   # set to false once a model judges
`;

/** Installs missing files. Of existing ones only `.gitattributes` is added to, if lock and rulings are not in it. */
export async function initNotes(cli: CliContext, flags: JsonFlags): Promise<void> {
  const { root, loaded } = await notesSession(cli, flags);
  const { environment } = cli;
  const tools = await toolsOf({ root, environment, settings: loaded.settings });
  const { files, settings } = tools;
  const gates = (await loadStarterGates()).map(({ path, content }) => ({
    path: `${settings.gates}/${path}`,
    content,
  }));
  const wanted = [...gates, { path: "signoff.yaml", content: settingsFile }];
  const missing = wanted.filter(({ path }) => !files.exists(path));
  await files.write(missing);
  const isMerged = await mergeByUnion(tools, settings.lock, rulingsPath(settings));
  const written = [...missing.map(({ path }) => path), ...(isMerged ? [".gitattributes"] : [])];
  printResult(cli, flags, { written }, [
    ...written.map((path) => `wrote ${path}`),
    written.length === 0
      ? "All files exist already."
      : "Commit them, then run: signoff notes status",
  ]);
}
