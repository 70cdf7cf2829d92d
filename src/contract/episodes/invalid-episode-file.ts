import { type FileProblem, InvalidFile, type Parsed } from "../documents/file-problem.ts";

export interface BrokenEpisodeFile {
  /** Relative to the workspace. */
  readonly file: string;
  /** Stable name of the broken rule. */
  readonly rule: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** A file of the workspace cannot be used as it is; nothing was written. */
export function invalidEpisodeFile({ cause, ...broken }: BrokenEpisodeFile): InvalidFile {
  return invalid([{ ...broken, path: "" }], cause);
}

export function episodeFileOrThrow<T>(parsed: Parsed<T>): T {
  if (parsed.kind === "problems") throw invalid(parsed.problems);
  return parsed.value;
}

function invalid(problems: readonly FileProblem[], cause?: unknown): InvalidFile {
  const [{ file, rule = "shape" } = { file: "the file" }] = problems;
  return new InvalidFile(problems, {
    code: "episode-file-invalid",
    facts: { file, rule },
    hint: `Repair ${file} by hand or with \`signoff doctor\`, then try again.`,
    cause,
  });
}
