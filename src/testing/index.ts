/**
 * The public test kit: scripted replies, stores in memory, and the guarantees of engines and stores as lists of cases.
 * Run each case against your adapter with a fresh subject.
 */

import { requireNode } from "../domain/values/node-version.ts";

export { openMemoryStore } from "../adapters/persistence/sqlite/open-store.ts";
export { parseScript } from "../adapters/runners/scripted/script.ts";
export { createScriptedRunner } from "../adapters/runners/scripted/scripted-runner.ts";
export type { Engine } from "../ports/engine.ts";
export type { Exclusively } from "../ports/exclusively.ts";
export type { Repos } from "../ports/repos.ts";
export type { RunRecord, RunStore } from "../ports/run-store.ts";
export type { Runner } from "../ports/runner.ts";
export type { Store } from "../ports/store.ts";
export { budgetConformance } from "./budget-conformance.ts";
export type { ConformanceCase } from "./conformance-case.ts";
export { engineConformance } from "./engine-conformance.ts";
export type { EngineSubject } from "./engine-story.ts";
export { type ExclusivelySubject, exclusivelyConformance } from "./exclusively-conformance.ts";
export { journalConformance } from "./journal-conformance.ts";
export { reviewConformance } from "./review-conformance.ts";
export { runStoreConformance } from "./run-store-conformance.ts";
export type { StoreSubject } from "./run-store-stories.ts";
export { type RunnerSubject, runnerConformance } from "./runner-conformance.ts";
export { storeConformance } from "./store-conformance.ts";

requireNode(process.versions.node);
