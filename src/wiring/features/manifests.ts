import { checkPattern } from "../../adapters/assistant/pattern-matcher.ts";
import * as files from "../../adapters/workspace/manifest-files.ts";
import type { Pack, Scenario } from "../../domain/scenarios/manifest.ts";

export const loadPack = (root: string, path: string): Pack =>
  files.loadPack({ root, path }, checkPattern);
export const loadScenario = (path: string): Scenario => files.loadScenario(path, checkPattern);
export const loadCase = (path: string): Scenario => files.loadCase(path, checkPattern);
