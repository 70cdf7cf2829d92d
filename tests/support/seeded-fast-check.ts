import { createRequire } from "node:module";
import { env } from "node:process";

const { default: fc } = createRequire(import.meta.url)("fast-check") as typeof import("fast-check");

const { FAST_CHECK_SEED = "20260302" } = env;
// The same cases every time: a failed run can be repeated, and no change fails because of new random cases.
fc.configureGlobal({ seed: Number(FAST_CHECK_SEED) });

// biome-ignore lint/style/noDefaultExport: replaces a module that has one
export default fc;
