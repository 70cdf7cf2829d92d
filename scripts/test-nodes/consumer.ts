// Compiled as an ES module and as CommonJS against the installed package, then run.
import { type DraftSession, type RunDraftOptions, runDraft } from "signoff";
import { openMemoryStore, parseScript } from "signoff/testing";

const options: RunDraftOptions = {
  brief: "eco-friendly water bottles",
  models: { writer: "offline/rules", reviewer: "offline/rules" },
  maxTurns: 3,
  inMemory: true,
};

runDraft(options).then((session: DraftSession) => {
  const { completionReason, finalText } = session;
  console.log(completionReason, finalText, typeof parseScript, typeof openMemoryStore);
});
