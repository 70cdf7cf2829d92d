import { checkPattern } from "../../adapters/assistant/pattern-matcher.ts";
import * as files from "../../adapters/workspace/manifest-files.ts";
import type { Pack, Scenario } from "../../domain/scenarios/manifest.ts";

export function loadPack(root: string, path: string): Pack {
  return files.readPackFile({ root, path }, checkPattern);
}

export function loadScenario(path: string): Scenario {
  return files.readScenarioFile(path, checkPattern);
}

export function loadCase(path: string): Scenario {
  return files.readCaseFile(path, checkPattern);
}
