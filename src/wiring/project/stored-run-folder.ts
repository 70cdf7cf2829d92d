import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { runId } from "../../domain/values/ids.ts";
import { openProjectForReading, type StorePlace } from "./project-store.ts";

/** The folder of a stored run, including one that was archived. */
export async function folderOfStoredRun(
  place: StorePlace,
  id: string,
): Promise<string | undefined> {
  const store = await openProjectForReading(place);
  try {
    const record = await store?.runs.load(runId(id));
    const input = record?.job.input as { readonly folder?: string } | undefined;
    if (input?.folder === undefined) return undefined;
    const folders = createRunFolders(place.root, { reach: () => undefined });
    const aside = `${input.folder}.runs/${id}`;
    return (await folders.names(aside)).length > 0 ? aside : input.folder;
  } finally {
    await store?.close();
  }
}
