/** The public test kit: conformance lists for adapters, scripted replies, and stores that live in memory. */
export { openMemoryStore } from "../adapters/persistence/sqlite/open-store.ts";
export { parseScript } from "../adapters/runners/scripted/script.ts";
export { createScriptedRunner } from "../adapters/runners/scripted/scripted-runner.ts";
export { budgetConformance } from "./budget-conformance.ts";
export type { ConformanceCase } from "./conformance-case.ts";
export { type EngineSubject, engineConformance } from "./engine-conformance.ts";
export { journalConformance } from "./journal-conformance.ts";
export { reviewConformance } from "./review-conformance.ts";
export { runStoreConformance } from "./run-store-conformance.ts";
export { type StoreSubject, storeConformance } from "./store-conformance.ts";
