import { createHash } from "node:crypto";
import { join } from "node:path";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import { readSmallFile } from "../../adapters/workspace/config-file.ts";
import { type TrustFile, trustFileShape } from "../../contract/config/trust-file.ts";
import { plainJson } from "../../contract/documents/json-text.ts";
import type { Trust } from "../../domain/settings/require-trusted.ts";
import { type TrustPart, trustText } from "../../domain/settings/trust-parts.ts";
import { defined } from "../../domain/values/defined.ts";
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
  return changeTrustFile(place, trust, (known, path) => {
    const entries = new Map(Object.entries(known.projects));
    entries.set(path, { digest: trust.digest, trusted_at: at });
    return { ...known, projects: Object.fromEntries(entries) };
  });
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
  return changeTrustFile(place, trust, (known, path) => {
    const entries = new Map(Object.entries(known.coders ?? {}));
    entries.set(path, [...new Set([...(entries.get(path) ?? []), trust.digest])]);
    return { ...known, coders: Object.fromEntries(entries) };
  });
}

async function changeTrustFile(
  { userFolder, root }: TrustPlace,
  { digest }: Trust,
  change: (known: TrustFile, path: string) => TrustFile,
): Promise<string> {
  if (userFolder === undefined) {
    throw noHome("There is no home folder to remember trust in.", digest);
  }
  const path = trustPath(userFolder);
  const content = plainJson(change(await readTrustFile(path), realPath(root)));
  try {
    await writeFilesAtomically([{ path, content, isPrivate: true }]);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw noHome(`Trust cannot be remembered in ${path}: ${why}.`, digest, cause);
  }
  return path;
}

function noHome(message: string, digest: string, cause?: unknown): ConfigurationError {
  const hint = `Set HOME or XDG_CONFIG_HOME, or SIGNOFF_TRUST=${digest}.`;
  return new ConfigurationError(message, { code: "no-home", hint, ...defined({ cause }) });
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
