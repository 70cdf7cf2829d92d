import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import {
  configFileName,
  configPath,
  readSmallFile,
  saveConfigValue,
} from "../../adapters/workspace/config-file.ts";
import { parseConfig } from "../../contract/config/parse-config.ts";
import { parsedOrThrow } from "../../contract/documents/file-problem.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { StorePlace } from "./store-place.ts";

/** Which database and which of its schemas. */
export async function databaseOf({
  root,
  environment,
}: StorePlace): Promise<{ readonly url: string; readonly schema: string }> {
  const url = databaseUrlOf(environment);
  const project = await readProjectId(root);
  if (project === undefined) {
    throw new ConfigurationError(`${configFileName} does not say which project this is.`, {
      code: "project-unnamed",
      hint: "Run `signoff store migrate`: it writes a `project` there and prepares the database.",
    });
  }
  return { url, schema: schemaOf(project) };
}

/** The address of the shared database. A wrong one is never shown: it may hold a password. */
export function databaseUrlOf({ databaseUrl }: StorePlace["environment"]): string {
  const isUrl = databaseUrl !== undefined && /^postgres(?:ql)?:\/\//u.test(databaseUrl);
  if (isUrl && URL.canParse(databaseUrl)) return databaseUrl;
  const example =
    "Set it to the address of a PostgreSQL database, such as postgresql://user@host/database";
  if (databaseUrl === undefined) {
    throw new ConfigurationError("SIGNOFF_DATABASE_URL is not set.", {
      code: "database-missing",
      hint: `${example}.`,
    });
  }
  throw new ConfigurationError("SIGNOFF_DATABASE_URL is not the address of a database.", {
    code: "database-address",
    hint: `${example}; signs in a password are written as %40 and the like.`,
  });
}

/** The name of a project in a shared database, as `signoff.yaml` gives it. */
async function readProjectId(root: string): Promise<string | undefined> {
  const text = await readSmallFile(configPath(root));
  if (text === undefined || text.trim() === "") return undefined;
  const { config } = parsedOrThrow(parseConfig(text, configFileName), { code: "settings-invalid" });
  return config.project;
}

/** Writes a new one where it is missing. */
export async function ensureProjectId(root: string): Promise<string> {
  const known = await readProjectId(root);
  if (known !== undefined) return known;
  const project = newProjectId(root);
  await saveConfigValue({ root, key: "project", value: project });
  return project;
}

/** The folder's name, for people, and some chance: two projects of one name must not share a record. */
export function newProjectId(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "_")
    .replace(/^[^a-z]+|_+$/gu, "")
    .slice(0, 24);
  return `${name === "" ? "project" : name}_${randomBytes(4).toString("hex")}`;
}

export function schemaOf(project: string): string {
  return `signoff_${project}`;
}
