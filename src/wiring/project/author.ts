import { readGitConfig } from "../../adapters/provenance/git-config.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Author } from "../../orchestration/drafting/rule-on-draft.ts";
import type { Environment } from "../settings/environment.ts";
import { resolveIdentity } from "./identity.ts";

/** Who acts: `--by`, else SIGNOFF_USER, else git, else the login name; the source is recorded too. */
export async function authorOf(
  { environment, cwd }: { readonly environment: Environment; readonly cwd: string },
  { by }: { readonly by?: string },
): Promise<Author> {
  const { who, knownBy } = await resolveIdentity({
    ...defined({ by }),
    user: environment.user,
    readGit: (name) => readGitConfig(cwd, name),
  });
  return { by: who, knownHow: knownBy };
}
