import { userInfo } from "node:os";
import { gitIn } from "../adapters/provenance/git-process.ts";
import type { Environment } from "./config.ts";

/** Who acts: the name given, else `SIGNOFF_USER`, else git's, else the login name. */
export async function personActing(
  environment: Environment,
  about: { readonly by?: string; readonly folder: string },
): Promise<string> {
  const named = about.by ?? environment.user;
  if (named !== undefined && named.trim() !== "") return named.trim();
  const git = gitIn(about.folder);
  const ask = (name: string): Promise<string> =>
    git(["config", name]).then(
      (said) => said.toString("utf8").trim(),
      () => "",
    );
  const name = await ask("user.name");
  if (name === "") return userInfo().username;
  const email = await ask("user.email");
  return email === "" ? name : `${name} <${email}>`;
}
