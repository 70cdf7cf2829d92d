import { ModelNotFoundError } from "../../domain/values/workflow-error.ts";

/** A script is a file name, and no request may name a file. */
export function refuseScripts(
  asked: readonly { readonly model?: string; readonly reviewerModel?: string }[],
): void {
  const named = asked.flatMap(({ model, reviewerModel }) => [model, reviewerModel]);
  const script = named.find((model) => model?.trim().startsWith("script:"));
  if (script === undefined) return;
  throw new ModelNotFoundError("Scripts cannot be named over HTTP.", {
    code: "model-not-found",
    facts: { model: script },
    hint: "Use --script on the command line instead.",
  });
}
