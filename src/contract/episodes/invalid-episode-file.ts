import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

export interface BrokenFile {
  /** Relative to the workspace. */
  readonly file: string;
  /** Stable name of the broken rule. */
  readonly rule: string;
  readonly message: string;
  /** Where in the file, e.g. `assets[0].kind` or `line 3`. */
  readonly place?: string;
}

/** A file of the workspace cannot be used as it is; nothing was written. */
export class InvalidEpisodeFile extends WorkflowError {
  override readonly name = "InvalidEpisodeFile";
  readonly file: string;
  readonly rule: string;

  constructor(
    { file, rule, message, place }: BrokenFile,
    about: { readonly cause?: unknown } = {},
  ) {
    super(`${file}${place === undefined ? "" : `, ${place}`}: ${message}`, {
      code: "episode-file-invalid",
      facts: { file, rule, ...defined({ place }) },
      hint: `Repair ${file} by hand or with \`signoff doctor\`, then try again.`,
      cause: about.cause,
    });
    this.file = file;
    this.rule = rule;
  }
}
