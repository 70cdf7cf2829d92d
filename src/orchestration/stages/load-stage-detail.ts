import type { StageDetail, StageDocument } from "../../contract/http/stages.ts";
import { readStageArtifact } from "../../contract/stages/stage-artifacts.ts";
import { startedRepairs } from "../../domain/stages/repair-proof.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { findStage, type ListedStage, type StageCatalog } from "./list-stages.ts";
import { repairFolder } from "./stage-files.ts";

const mostCharacters = 200_000;

/** A stage with its repairs and the documents it left for people. Reads only. */
export async function loadStageDetail(
  catalog: StageCatalog,
  stageId: string,
): Promise<Omit<StageDetail, "coder" | "loop">> {
  const listed = await findStage(catalog, stageId);
  const { summary, isAtWork } = listed;
  const documents = await documentsOf(catalog, listed);
  return {
    stage: { isAtWork, ...summary },
    version: summary.history.length,
    repairs: await repairsOf(catalog, listed),
    documents: documents.map(({ documentId, name }) => ({ documentId, name })),
  };
}

/** Documents are looked up by id, so no other file can be requested. */
export async function loadStageDocument(
  catalog: StageCatalog,
  stageId: string,
  documentId: string,
): Promise<StageDocument> {
  const listed = await findStage(catalog, stageId);
  const documents = await documentsOf(catalog, listed);
  const found = documents.find((one) => one.documentId === documentId);
  const text =
    found === undefined ? undefined : await catalog.folders.read(listed.folder, found.name);
  if (found === undefined || text === undefined) {
    throw new WorkflowError(`Stage ${stageId} has no such document.`, {
      code: "document-unknown",
      facts: { stage_id: stageId, document_id: documentId },
    });
  }
  return { ...found, text: text.slice(0, mostCharacters), isCut: text.length > mostCharacters };
}

async function repairsOf(
  { folders }: StageCatalog,
  { summary, folder, state }: ListedStage,
): Promise<StageDetail["repairs"]> {
  const started = startedRepairs(state.history);
  const repairs = new Map<string, StageDetail["repairs"][number]>();
  for (const { at, event } of summary.history) {
    if (event.kind !== "repair-prepared") continue;
    const { iterationId, questions } = event;
    const name = "repair_execution_summary.json";
    const text = await folders.read(repairFolder({ folder }, iterationId), name);
    const validations = summary.repairValidationHistory.filter(
      (one) => one.iterationId === iterationId,
    );
    const own = started.findLast((one) => one.iterationId === iterationId);
    repairs.set(iterationId, {
      iterationId,
      preparedAt: at,
      questions,
      ...(text === undefined ? {} : { execution: readStageArtifact(name, text) }),
      validations,
      isProven: own?.isProven ?? false,
      needsRuling: own !== undefined && !own.isProven && !own.isClear,
    });
  }
  return [...repairs.values()];
}

/** What the stage itself left, then its latest loop, its repairs and imported runs, the newest first. */
async function documentsOf(
  { folders, digest }: StageCatalog,
  { folder, summary }: ListedStage,
): Promise<readonly { readonly documentId: string; readonly name: string }[]> {
  const below = async (place: string) =>
    (await folders.names(`${folder}/${place}`)).map((name) => `${place}/${name}`).reverse();
  const [loop] = summary.latestLoop?.split("/") ?? [];
  const places = [
    "",
    ...(loop === undefined ? [] : [`domain_loops/${loop}`]),
    ...(await below("repair_iterations")),
    ...(await below("gui_run_reviews")),
  ];
  const found: string[] = [];
  for (const place of places) {
    const files = await folders.names(`${folder}/${place}`);
    found.push(...files.map((file) => (place === "" ? file : `${place}/${file}`)));
  }
  return found
    .filter((name) => /\.(?:md|txt)$/u.test(name))
    .map((name) => ({ documentId: digest(name).slice(0, 16), name }));
}
