import { userInfo } from "node:os";
import { readGitConfig } from "../../adapters/provenance/git-config.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Author } from "../../orchestration/drafting/rule-on-draft.ts";
import type { Environment } from "../settings/environment.ts";

export interface IdentitySources {
  /** `--by` */
  readonly by?: string;
  /** `SIGNOFF_USER`, from the environment alone. */
  readonly user?: string | undefined;
  /** A value of git's configuration for the project. */
  readonly readGit: (name: "user.name" | "user.email") => Promise<string | undefined>;
  readonly loginName?: () => string | undefined;
}

/** Who acts: `--by`, else SIGNOFF_USER, else git, else the login name; the source is recorded too. */
export function authorOf(
  { environment, cwd }: { readonly environment: Environment; readonly cwd: string },
  { by }: { readonly by?: string },
): Promise<Author> {
  const readGit = (name: "user.name" | "user.email") => readGitConfig(cwd, name);
  return resolveIdentity({ ...defined({ by }), user: environment.user, readGit });
}

export async function resolveIdentity(sources: IdentitySources): Promise<Author> {
  if (sources.by !== undefined) return { by: checkedName(sources.by, "--by"), knownHow: "flag" };
  if (sources.user !== undefined) {
    return { by: checkedName(sources.user, "SIGNOFF_USER"), knownHow: "environment" };
  }
  const inGit = await gitIdentity(sources.readGit);
  if (inGit !== undefined) return { by: inGit, knownHow: "git" };
  const login = oneLine((sources.loginName ?? systemLoginName)());
  if (login !== undefined) return { by: login, knownHow: "login" };
  throw new ConfigurationError("Your name is unknown, so this cannot be signed.", {
    code: "identity-unknown",
    hint: "Give it with --by, or set SIGNOFF_USER.",
  });
}

async function gitIdentity(readGit: IdentitySources["readGit"]): Promise<string | undefined> {
  const name = oneLine(await readGit("user.name"));
  const email = oneLine(await readGit("user.email"));
  if (name === undefined) return email;
  return email === undefined ? name : `${name} <${email}>`;
}

/** A user without an entry in the system's list (containers) has no login name. */
function systemLoginName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

const longest = 200;

export function checkedName(given: string, name: string): string {
  const who = oneLine(given);
  if (who !== undefined && who === given.trim()) return who;
  throw new ConfigurationError(`${name} must be one line of 1 to ${longest} characters.`, {
    code: "identity-invalid",
    facts: { name },
  });
}

/** Removes what could fake a second line or hide part of the name on a screen. */
function oneLine(text: string | undefined): string | undefined {
  const line = (text ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line === "" ? undefined : [...line].slice(0, longest).join("");
}
