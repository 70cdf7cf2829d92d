import { checkPattern } from "../../adapters/assistant/pattern-matcher.ts";
import * as files from "../../adapters/workspace/manifest-files.ts";
import type { Pack, Scenario } from "../../domain/scenarios/manifest.ts";

export const loadPackManifest = (root: string, path: string): Pack =>
  files.loadPack({ root, path }, checkPattern);
export const loadScenarioManifest = (path: string): Scenario =>
  files.loadScenario(path, checkPattern);
export const loadCaseManifest = (path: string): Scenario => files.loadCase(path, checkPattern);
