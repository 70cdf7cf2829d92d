import { checkPattern } from "../../adapters/assistant/pattern-matcher.ts";
import {
  readCaseFile,
  readPackFile,
  readScenarioFile,
} from "../../adapters/workspace/manifest-files.ts";
import type { Pack, Scenario } from "../../domain/scenarios/manifest.ts";

export const loadPackManifest = (root: string, path: string): Pack =>
  readPackFile({ root, path }, checkPattern);
export const loadScenarioManifest = (path: string): Scenario =>
  readScenarioFile(path, checkPattern);
export const loadCaseManifest = (path: string): Scenario => readCaseFile(path, checkPattern);
