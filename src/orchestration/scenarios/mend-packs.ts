import type { RunFolders } from "../../ports/run-folders.ts";
import type { DoctorFinding, Examined } from "../runs/examine-project.ts";
import type { ExamineRun } from "./examine-run.ts";
import { currentFolders, type PackLibrary } from "./pack-library.ts";

const mostNamed = 5;

/** Compares the files of pack runs with the store, which is authoritative; `repair` writes them again from it. */
export async function examinePackFolders(
  library: PackLibrary,
  examine: ExamineRun,
  how: { readonly repair: boolean; readonly folders: Pick<RunFolders, "write"> },
): Promise<Examined> {
  const findings: DoctorFinding[] = [];
  let repaired = 0;
  for (const folder of await currentFolders(library)) {
    const examined = await examine(folder);
    // The files of a run that has not ended are still being written.
    if (examined.kind !== "derived" || examined.stored.evidence.recorded === undefined) continue;
    const { files, evidence } = examined.stored;
    const changed = evidence.changedFiles.map(({ name }) => name);
    if (changed.length === 0) continue;
    if (how.repair) {
      // All of them: an artifact that is written again has digests of pages in today's words.
      const again = [...files].map(([name, content]) => ({ name, content }));
      await how.folders.write(examined.folder, again);
      repaired += changed.length;
    } else {
      findings.push({ level: "error", text: differs(examined.folder, changed), hint });
    }
  }
  return { findings, repaired };
}

const hint = "`signoff doctor --repair` writes these files again.";

function differs(folder: string, names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const named = names.slice(0, mostNamed).join(", ");
  return `The run in ${folder} differs from the store: ${named}${rest > 0 ? ` and ${rest} more` : ""}.`;
}
