import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** One thing that is wrong in a file, where it stands, and what to do. */
export interface FileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Such as `scenarios[0].steps[2].question`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

export type Parsed<T> =
  | { readonly kind: "parsed"; readonly value: T }
  | { readonly kind: "problems"; readonly problems: readonly FileProblem[] };

/** Everything that is wrong with a manifest, at once. */
export class ManifestError extends WorkflowError {
  override readonly name: string = "ManifestError";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(renderProblem).join("\n"), {
      code: "bad-manifest",
      facts: { files: [...new Set(problems.map((problem) => problem.file))] },
    });
    this.problems = problems;
  }
}

export function renderProblem(problem: FileProblem): string {
  const { file, line, column, path, message, hint } = problem;
  const where = path === "" ? "" : ` ${path}:`;
  return `${file}:${line}:${column}:${where} ${message}${hint === undefined ? "" : ` (${hint})`}`;
}

export function parsedOrThrow<T>(parsed: Parsed<T>): T {
  if (parsed.kind === "problems") {
    throw new ManifestError(parsed.problems);
  }
  return parsed.value;
}
