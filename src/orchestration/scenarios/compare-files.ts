import {
  type ArtifactValue,
  readArtifact,
  writeArtifact,
} from "../../contract/scenarios/artifacts.ts";
import type { RunEvidence } from "../../domain/scenarios/derive-run.ts";

export interface ComparedFiles {
  readonly changed: RunEvidence["changedFiles"];
  /** Pages in the words of an older version, and the artifacts with their digests, by name. */
  readonly older: ReadonlyMap<string, string>;
}

interface Compared {
  /** What the store's events write today, by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly read: (name: string) => Promise<string | undefined>;
  readonly digest: (text: string) => string;
}

/** Artifacts that list the files around them with their digests. */
const listings = ["run_manifest.json", "scenario_state.json"] as const;

interface Listing {
  readonly kind: (typeof listings)[number];
  /** Of all names in it. */
  readonly place: string;
}

/**
 * Compares the files of a run's folder with what the store's events write. A page only says in words what the artifacts
 * beside it say, and keeps the words of the version that wrote it: it is compared by the digest in the run's own
 * listing. Nothing rests on that digest, so it may differ from today's.
 */
export async function compareFiles(compared: Compared): Promise<ComparedFiles> {
  const { files, read, digest } = compared;
  const changed = [];
  const different = new Map<string, string>();
  for (const [name, content] of files) {
    const found = await read(name);
    if (found === undefined) changed.push({ name, isMissing: true });
    else if (found !== content) different.set(name, found);
  }
  const listed = different.size === 0 ? new Map() : await listedDigests(compared);
  const older = new Map<string, string>();
  for (const [name, found] of different) {
    const isSame = isPage(name)
      ? digest(found) === listed.get(name)
      : await isOlderListing(compared, name, found);
    if (isSame) older.set(name, found);
    else changed.push({ name, isMissing: false });
  }
  return { changed, older };
}

/** The same but for digests of pages, and of listings that differ in these alone. */
async function isOlderListing(
  { files, read, digest }: Compared,
  name: string,
  found: string,
): Promise<boolean> {
  const listing = listingAt(name);
  const listed = listing && filesIn(listing, found);
  if (listing === undefined || listed === undefined) return false;
  const today = readArtifact(listing.kind, files.get(name) ?? "");
  if (writeArtifact(listing.kind, { ...today, files: listed }) !== found) return false;
  for (const [file, listedAs] of Object.entries(listed)) {
    const content = isPage(file) ? undefined : await read(`${listing.place}${file}`);
    if (content !== undefined && digest(content) !== listedAs) return false;
  }
  return true;
}

/** Of every file that the run's own listings name. */
async function listedDigests({ files, read }: Compared): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const name of files.keys()) {
    const listing = listingAt(name);
    if (listing === undefined) continue;
    const listed = filesIn(listing, (await read(name)) ?? "");
    for (const [file, digest] of Object.entries(listed ?? {})) {
      digests.set(`${listing.place}${file}`, digest);
    }
  }
  return digests;
}

function listingAt(name: string): Listing | undefined {
  const kind = listings.find((each) => name === each || name.endsWith(`/${each}`));
  return kind && { kind, place: name.slice(0, -kind.length) };
}

/** Undefined where the listing is damaged. */
function filesIn({ kind }: Listing, text: string): ArtifactValue<Listing["kind"]>["files"] {
  try {
    return readArtifact(kind, text).files;
  } catch {
    return undefined;
  }
}

function isPage(name: string): boolean {
  return name.endsWith(".md");
}
