// node --expose-gc many-drafts.mjs <count>: drafts one after the other and collects all garbage after each.
import { runDraft } from "signoff";

const count = Number(process.argv[2]);
for (let draft = 0; draft < count; draft += 1) {
  const session = await runDraft({
    brief: `eco-friendly water bottles, number ${draft}`,
    inMemory: draft % 2 === 0,
    models: { writer: "offline/rules" },
  });
  if (session.completionReason !== "approved") throw new Error(session.completionReason);
  globalThis.gc();
}
