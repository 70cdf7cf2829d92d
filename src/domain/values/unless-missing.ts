/** The result of a file system call; undefined if the file does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function unlessMissingSync<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "ENOENT" || code === "ENOTDIR";
}
