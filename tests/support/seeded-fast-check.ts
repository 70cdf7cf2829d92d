import { createRequire } from "node:module";
import { env } from "node:process";

const { default: fc } = createRequire(import.meta.url)("fast-check") as typeof import("fast-check");

const { FAST_CHECK_SEED = "20260302" } = env;
// The same cases every time: a red run can be repeated, and nobody's change is blamed for another's case.
fc.configureGlobal({ seed: Number(FAST_CHECK_SEED) });

// biome-ignore lint/style/noDefaultExport: stands in for a module that has one
export default fc;
