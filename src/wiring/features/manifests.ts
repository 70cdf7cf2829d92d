import { checkPattern } from "../../adapters/assistant/pattern-matcher.ts";
import * as files from "../../adapters/workspace/manifest-files.ts";
import type { Pack, Scenario } from "../../domain/scenarios/manifest.ts";

export function loadPack(root: string, path: string): Pack {
  return files.loadPack({ root, path }, checkPattern);
}

export function loadScenario(path: string): Scenario {
  return files.loadScenario(path, checkPattern);
}

export function loadCase(path: string): Scenario {
  return files.loadCase(path, checkPattern);
}
