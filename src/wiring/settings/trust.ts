import { createHash } from "node:crypto";
import { join } from "node:path";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import { readSmallFile } from "../../adapters/workspace/config-file.ts";
import { type TrustFile, trustFileShape } from "../../contract/config/trust-file.ts";
import { plainJson } from "../../contract/documents/json-text.ts";
import type { Trust } from "../../domain/settings/require-trusted.ts";
import { type TrustPart, trustText } from "../../domain/settings/trust-parts.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { realPath } from "../project/project-root.ts";

export interface TrustGiven {
  /** `--trust`: the user trusts the settings for this invocation. */
  readonly byFlag: boolean;
  /** `SIGNOFF_TRUST`, from the environment alone: one digest or, with spaces or commas between, several. */
  readonly byEnvironment: string | undefined;
  /** The digest in the user's own trust file. */
  readonly stored: string | undefined;
}

/** Trust covers exactly these parts; any change to them has another digest. */
export function judgeTrust(parts: readonly TrustPart[], given: TrustGiven): Trust {
  const digest = createHash("sha256").update(trustText(parts)).digest("hex");
  const allowed = [...(given.byEnvironment?.split(/[\s,]+/u) ?? []), given.stored];
  const isTrusted = parts.length === 0 || given.byFlag || allowed.includes(digest);
  return { parts, digest, isTrusted };
}

export interface TrustPlace {
  /** The user's own folder, never the project's. */
  readonly userFolder: string | undefined;
  readonly root: string;
}

export async function loadTrustedDigest(place: TrustPlace): Promise<string | undefined> {
  if (place.userFolder === undefined) return undefined;
  const { projects } = await readTrustFile(trustPath(place.userFolder));
  const path = realPath(place.root);
  return Object.hasOwn(projects, path) ? projects[path]?.digest : undefined;
}

/** Stores the user's trust in these parts of this project. Returns the path of the file. */
export async function saveTrust(place: TrustPlace, trust: Trust, at: Instant): Promise<string> {
  const file = trustFileOf(place, trust);
  const known = await readTrustFile(file);
  const path = realPath(place.root);
  const entries = new Map(Object.entries(known.projects));
  entries.set(path, { digest: trust.digest, trusted_at: at });
  await writeTrustFile(file, { ...known, projects: Object.fromEntries(entries) });
  return file;
}

/** Digests of the coders that the user trusts in this project. */
export async function loadTrustedCoders(place: TrustPlace): Promise<readonly string[]> {
  if (place.userFolder === undefined) return [];
  const { coders = {} } = await readTrustFile(trustPath(place.userFolder));
  const path = realPath(place.root);
  return Object.hasOwn(coders, path) ? (coders[path] ?? []) : [];
}

/** Stores the user's trust in one coder of this project. Returns the path of the file. */
export async function saveTrustedCoder(place: TrustPlace, trust: Trust): Promise<string> {
  const file = trustFileOf(place, trust);
  const known = await readTrustFile(file);
  const path = realPath(place.root);
  const before = await loadTrustedCoders(place);
  const entries = new Map(Object.entries(known.coders ?? {}));
  entries.set(path, [...new Set([...before, trust.digest])]);
  await writeTrustFile(file, { ...known, coders: Object.fromEntries(entries) });
  return file;
}

async function writeTrustFile(path: string, trust: TrustFile): Promise<void> {
  const content = plainJson(trust);
  await writeFilesAtomically([{ path, content, isPrivate: true }]);
}

function trustFileOf({ userFolder }: TrustPlace, { digest }: Trust): string {
  if (userFolder !== undefined) return trustPath(userFolder);
  throw new ConfigurationError("There is no home folder to remember trust in.", {
    code: "no-home",
    hint: `Set HOME or XDG_CONFIG_HOME, or SIGNOFF_TRUST=${digest}.`,
  });
}

function trustPath(userFolder: string): string {
  return join(userFolder, "trust.json");
}

async function readTrustFile(file: string): Promise<TrustFile> {
  const text = await readSmallFile(file);
  if (text === undefined) return { version: 1, projects: {} };
  try {
    return trustFileShape.parse(JSON.parse(text));
  } catch (error) {
    throw new ConfigurationError(`${file} is damaged, so nothing in it is trusted.`, {
      code: "trust-file-damaged",
      facts: { file },
      hint: "Move it away and run `signoff trust` in each project again.",
      cause: error,
    });
  }
}
