import { exportPath, renderExport } from "../../contract/gates/exported-review.ts";
import { defined } from "../../domain/values/defined.ts";
import { visitCurrentAcceptances } from "./current-acceptances.ts";
import { listTree } from "./list-tree.ts";
import type { NotesTools } from "./notes-tools.ts";
import { pairKey } from "./target-pair.ts";

/** Writes the newest review of every pair as markdown. Rebuilt from the store each time. */
export async function exportReviews(
  tools: NotesTools,
  paths: readonly string[],
): Promise<readonly string[]> {
  const { store, settings, files, source } = tools;
  if (store === undefined) return [];
  const { notes } = await listTree(tools);
  const wanted = new Set(
    notes.map(({ path }) => path).filter((path) => paths.length === 0 || paths.includes(path)),
  );
  const { rows, current, numbers } = await store.read(async ({ reviews }) => {
    const latest = (await reviews.gateReviews.latest()).filter((row) => wanted.has(row.notePath));
    const accepted = new Map<string, string>();
    await visitCurrentAcceptances(reviews, ({ notePath, gateId, model, kind }) => {
      accepted.set(pairKey(notePath, gateId, model), kind);
    });
    const runs = new Map<string, number>();
    for (const { run } of latest) runs.set(run, (await reviews.runs.find(run))?.number ?? 0);
    return { rows: latest, current: accepted, numbers: runs };
  });
  const commits = await source.lastCommits([...new Set(rows.map(({ notePath }) => notePath))]);
  const written = rows.map((row) => {
    const acceptance = current.get(pairKey(row.notePath, row.gateId, row.model));
    const commit = commits.get(row.notePath);
    const review = {
      note: row.notePath,
      gate: row.gateId,
      noteBlob: row.noteBlob,
      gateBlob: row.gateBlob,
      run: numbers.get(row.run) ?? 0,
      model: row.model,
      decision: row.decision,
      ...defined({ acceptance, commit }),
      reviewedAt: row.at,
      text: row.text,
    };
    return { path: exportPath(settings.exports, review), content: renderExport(review) };
  });
  await files.write(written);
  return written.map(({ path }) => path);
}
