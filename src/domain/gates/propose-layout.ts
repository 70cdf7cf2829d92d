/** A markdown file as it tells notes from gates: by its place and the keys of its front matter. */
export interface FoundFile {
  readonly path: string;
  /** Absent: it has no front matter. */
  readonly keys?: readonly string[];
}

export interface FoundFolder {
  readonly folder: string;
  readonly files: number;
}

/** Where the notes and gates of a repository seem to be. */
export interface NotesLayout {
  readonly roots: readonly FoundFolder[];
  readonly gates?: FoundFolder;
  /** Markdown files that are neither notes nor gates. */
  readonly passedOver: readonly string[];
}

const gateKeys = new Set([
  ...["gate_id", "watches", "fail_level", "rules", "staleness"],
  ...["requires_trait", "requires-trait", "requires_type", "requires-type"],
]);

/**
 * Gates are in folders of lenses: the folder above those with the most gates is theirs. Notes are in the topmost folders
 * that hold files with front matter, or any markdown where no file has front matter. Files beside the settings, such as
 * a README, are no notes.
 */
export function proposeLayout(files: readonly FoundFile[], knownGates: string): NotesLayout {
  const visible = files.filter(({ path }) => !path.split("/").some(isHidden));
  const gates = findGates(visible, knownGates);
  const others = visible.filter(
    ({ path }) => path.includes("/") && !(gates && path.startsWith(`${gates.folder}/`)),
  );
  const described = others.filter(({ keys }) => keys !== undefined && !keys.some(isGateKey));
  const folders = topmostFolders(described.length > 0 ? described : others);
  const homes = gates === undefined ? folders : [...folders, gates.folder];
  return {
    roots: folders.map((folder) => ({ folder, files: countBelow(others, folder) })),
    ...(gates === undefined ? {} : { gates }),
    passedOver: visible
      .map(({ path }) => path)
      .filter((path) => !homes.some((home) => path.startsWith(`${home}/`))),
  };
}

function isHidden(part: string): boolean {
  return part.startsWith(".") || part === "node_modules";
}

function isGateKey(key: string): boolean {
  return gateKeys.has(key);
}

function findGates(files: readonly FoundFile[], known: string): FoundFolder | undefined {
  const below = countBelow(files, known);
  if (below > 0) return { folder: known, files: below };
  const folders = files
    .filter(({ keys = [] }) => keys.some(isGateKey))
    .map(({ path }) => path.split("/").slice(0, -2).join("/"))
    .filter((folder) => folder !== "");
  const counts = [...Map.groupBy(folders, (folder) => folder)];
  const [most] = counts.sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  return most === undefined ? undefined : { folder: most[0], files: countBelow(files, most[0]) };
}

function countBelow(files: readonly FoundFile[], folder: string): number {
  return files.filter(({ path }) => path.startsWith(`${folder}/`)).length;
}

function topmostFolders(notes: readonly FoundFile[]): readonly string[] {
  const folders = new Set(notes.map(({ path }) => path.slice(0, path.lastIndexOf("/"))));
  const isBelowAnother = (folder: string) =>
    [...folders].some((other) => folder.startsWith(`${other}/`));
  return [...folders].filter((folder) => !isBelowAnother(folder)).sort();
}
