import { openNotesWithoutStore } from "../../wiring/features/notes-reading.ts";
import { loadStarterGates } from "../../wiring/features/starter-gates.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { layOut } from "../shell/lay-out.ts";
import { printJson } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import { notesSession } from "./notes-context.ts";

const settingsFile = `version: 1
notes:
  roots: [notes]
  gates: signoff/gates
  lock: signoff.lock
  allow_offline: true   # set to false once a model judges
`;

/** Installs what is not there yet; nothing that exists is touched. */
export async function initNotes(
  cli: CliContext,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { root, loaded } = await notesSession(cli, flags);
  const { tools } = await openNotesWithoutStore(root, cli.environment, loaded.settings);
  const { files, settings } = tools;
  const gates = (await loadStarterGates()).map(({ path, content }) => ({
    path: `${settings.gates}/${path}`,
    content,
  }));
  const wanted = [...gates, { path: "signoff.yaml", content: settingsFile }];
  const missing = wanted.filter(({ path }) => !files.exists(path));
  await files.write(missing);
  if (flags.json === true) return printJson(cli, { written: missing.map(({ path }) => path) });
  const lines = [
    ...missing.map(({ path }) => `wrote ${path}`),
    missing.length === 0
      ? "Everything is there already."
      : "Commit them, then: signoff notes status",
  ];
  const layout = cli.layoutOf(cli.screen.out);
  printLines(
    cli.screen.out,
    lines.flatMap((text) => layOut([{ text }], layout)),
  );
}
