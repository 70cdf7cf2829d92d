import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { type Parsed, parsedOrThrow } from "../../contract/documents/file-problem.ts";
import type { DocumentSource } from "../../contract/documents/read-document.ts";
import type { PatternCheck } from "../../contract/scenarios/manifest-patterns.ts";
import { parseCase, parsePack, parseScenario } from "../../contract/scenarios/parse-manifest.ts";
import { parseStage, type StageDefaults } from "../../contract/stages/parse-stage.ts";
import type { Pack, Scenario } from "../../domain/scenarios/manifest.ts";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import { unlessMissingSync } from "../../domain/values/unless-missing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

export interface ManifestPlace {
  /** Scenarios named by a pack are read from inside this folder only. */
  readonly root: string;
  readonly path: string;
}

/** A pack, a scenario or a spec as a pack of one. Throws `InvalidFile` with everything that is wrong. */
export function readPackFile(place: ManifestPlace, checkPattern: PatternCheck): Pack {
  const source = readManifest(place.path);
  const folder = dirname(place.path);
  const root = isInside(place.root, place.path) ? place.root : folder;
  const readScenario = (path: string): DocumentSource | undefined => {
    const file = resolve(folder, path);
    const text = isInside(root, file) ? textOf(file) : undefined;
    return text === undefined ? undefined : { file: shown(file), text };
  };
  return manifestOf(parsePack(source, { checkPattern, readScenario }));
}

export function readScenarioFile(path: string, checkPattern: PatternCheck): Scenario {
  return manifestOf(parseScenario(readManifest(path), checkPattern));
}

export function readCaseFile(path: string, checkPattern: PatternCheck): Scenario {
  return manifestOf(parseCase(readManifest(path), checkPattern));
}

export function loadStageManifest(path: string, defaults: StageDefaults): StageManifest {
  return manifestOf(parseStage(readManifest(path), defaults));
}

function manifestOf<T>(parsed: Parsed<T>): T {
  return parsedOrThrow(parsed, { code: "bad-manifest" });
}

function readManifest(path: string): DocumentSource {
  const text = textOf(path);
  if (text !== undefined) return { file: shown(path), text };
  throw new ConfigurationError(`There is no manifest ${shown(path)}.`, {
    code: "manifest-missing",
    facts: { path },
  });
}

function textOf(path: string): string | undefined {
  const found = unlessMissingSync(() => statSync(path));
  return found === undefined || found.isDirectory() ? undefined : readFileSync(path, "utf8");
}

/** Links are followed before judging. */
function isInside(root: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(realpathSync(root) + sep);
  } catch {
    return false;
  }
}

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
