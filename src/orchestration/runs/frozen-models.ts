import type { Json } from "../../domain/values/json.ts";

interface Role {
  readonly model?: Json;
}

/** The places where the inputs of the kinds of jobs name their models. */
interface FrozenInput extends Role {
  readonly creator?: Role;
  readonly reviewers?: readonly Role[];
  readonly analyst_model?: Json;
  readonly user_model?: Json;
  readonly analysts?: { readonly members?: readonly Role[] };
  readonly calls?: readonly Role[];
  readonly draft?: FrozenInput;
  readonly jobs?: readonly { readonly input?: FrozenInput }[];
}

/** The models that a job was frozen with, each once; none where no model decides. A list must not decode every input. */
export function frozenModels(input: Json): readonly string[] {
  return [...new Set(namedIn((input ?? {}) as FrozenInput))];
}

function namedIn(input: FrozenInput): readonly string[] {
  const { analyst_model: analyst, user_model: user, analysts, draft, jobs = [] } = input;
  const roles: readonly (Role | undefined)[] = [
    input,
    input.creator,
    ...(input.reviewers ?? []),
    // A panel of analysts takes the place of the one.
    ...(analysts?.members ?? [{ model: analyst ?? null }]),
    ...(input.calls ?? []),
    { model: user ?? null },
  ];
  return [
    ...roles.flatMap((role) => (typeof role?.model === "string" ? [role.model] : [])),
    ...(draft === undefined ? [] : namedIn(draft)),
    ...jobs.flatMap((job) => namedIn(job.input ?? {})),
  ];
}
