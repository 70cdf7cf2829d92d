/** The oldest Node that Signoff runs on; `engines` in package.json says the same. */
const oldest = { major: 22, minor: 18 };

/** One sentence for someone whose Node is too old. On an older one the database driver would crash the process. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  if (isNewEnough) return undefined;
  return `Signoff needs Node ${oldest.major}.${oldest.minor} or newer; this is Node ${version}.`;
}

/** For the library: throws before anything native is loaded. */
export function requireNode(version: string): void {
  const problem = nodeVersionProblem(version);
  if (problem !== undefined) throw new Error(problem);
}
