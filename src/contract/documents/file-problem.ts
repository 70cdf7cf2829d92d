import { visibleLine } from "../../domain/values/visible.ts";
import { ConfigurationError, type ErrorFacts } from "../../domain/values/workflow-error.ts";

/** One thing that is wrong in a file that a person or a program wrote. */
export interface FileProblem {
  readonly file: string;
  /** From 1, as the column; absent when the problem is the file as a whole. */
  readonly line?: number;
  readonly column?: number;
  /** Such as `scenarios[0].steps[2].question`; empty for the file as a whole. */
  readonly path: string;
  /** Continues the path as a sentence: `is missing`, `must be text`. */
  readonly message: string;
  readonly hint?: string;
  /** Stable name of the broken rule: `yaml`, `json`, `shape`, or one of the model's own. */
  readonly rule?: string;
}

export type Parsed<T> =
  | { readonly kind: "parsed"; readonly value: T }
  | { readonly kind: "problems"; readonly problems: readonly FileProblem[] };

export interface InvalidFileFacts extends ErrorFacts {
  /** First line of the message; without it the problems are the whole message. */
  readonly heading?: string;
}

/** Files that cannot be used as they are, with everything that is wrong in them. Nothing was changed. */
export class InvalidFile extends ConfigurationError {
  override readonly name: string = "InvalidFile";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[], { heading, ...about }: InvalidFileFacts) {
    const lines = problems.map(renderProblem);
    super([...(heading === undefined ? [] : [heading]), ...lines].join("\n"), {
      ...about,
      facts: { files: [...new Set(problems.map(({ file }) => file))], ...about.facts },
    });
    this.problems = problems;
  }
}

/** `pack.yaml:3:5: steps[0].step_id: is missing`. */
export function renderProblem(problem: FileProblem): string {
  const { file, line, column, path } = problem;
  const place = [visibleLine(file), line, column].filter((part) => part !== undefined).join(":");
  return `${place}:${path === "" ? "" : ` ${path}:`} ${messageWithHint(problem)}`;
}

export function messageWithHint({ message, hint }: Pick<FileProblem, "message" | "hint">): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

export function problems(found: readonly FileProblem[]): Parsed<never> {
  return { kind: "problems", problems: found };
}

export function mapParsed<A, B>(parsed: Parsed<A>, map: (value: A) => B): Parsed<B> {
  return parsed.kind === "problems" ? parsed : { kind: "parsed", value: map(parsed.value) };
}

export function thenParsed<A, B>(parsed: Parsed<A>, next: (value: A) => Parsed<B>): Parsed<B> {
  return parsed.kind === "problems" ? parsed : next(parsed.value);
}

export function parsedOrThrow<T>(parsed: Parsed<T>, about: InvalidFileFacts): T {
  if (parsed.kind === "problems") throw new InvalidFile(parsed.problems, about);
  return parsed.value;
}
