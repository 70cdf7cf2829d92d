import {
  type ArtifactName,
  type ArtifactValue,
  readArtifact,
  writeArtifact,
} from "../../contract/scenarios/artifacts.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import type { RunFolders } from "../../ports/run-folders.ts";

export function artifactFile<N extends ArtifactName>(name: N, value: ArtifactValue<N>): RecordFile {
  return { name, content: writeArtifact(name, value) };
}

/** The artifact of this name in a folder; undefined where there is no such file. */
export async function findArtifact<N extends ArtifactName>(
  folders: Pick<RunFolders, "read">,
  folder: string,
  name: N,
): Promise<ArtifactValue<N> | undefined> {
  const text = await folders.read(folder, name);
  return text === undefined ? undefined : readArtifact(name, text);
}

/** The same for a file that may be damaged, which then counts as missing. */
export async function findReadable<N extends ArtifactName>(
  folders: Pick<RunFolders, "read">,
  folder: string,
  name: N,
): Promise<ArtifactValue<N> | undefined> {
  try {
    return await findArtifact(folders, folder, name);
  } catch {
    return undefined;
  }
}
