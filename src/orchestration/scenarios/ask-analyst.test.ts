import { expect, it } from "vitest";
import { deriveVerdict } from "../../domain/scenarios/derived-verdict.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Reply } from "../../ports/runner.ts";
import { readVerdictFile, writeVerdict } from "../../protocol/scenarios/verdict-format.ts";
import { askAnalyst, verdictText } from "./ask-analyst.ts";

const shop: PackRecord = { packId: "shop", title: "The shop's suppliers", scenarios: [] };
const verdict = writeVerdict(deriveVerdict(shop, []));
const input = { analystModel: "ollama/mistral" };

function judge(...replies: readonly Pick<Reply, "text" | "finish">[]) {
  const at = instant("2026-11-15T12:00:00.000Z");
  const left = [...replies];
  const askAll = async () => {
    const reply = left.shift() ?? { text: "", finish: "complete" as const };
    const times = { startedAt: at, finishedAt: at, replayed: false };
    return [{ kind: "replied", reply: { ...reply, model: "mistral", ...times } } as const];
  };
  return askAnalyst(
    { askAll, nonce: () => "c0de" },
    { number: 1, record: shop, targets: [], input, asked: 0, decisions: [] },
  );
}

it("asks again when the reply was cut, however whole the verdict looks", async () => {
  const judged = await judge(
    { text: verdict, finish: "cut" },
    { text: "I forgot.", finish: "complete" },
  );
  expect(judged.reading).toEqual({ kind: "void", problems: ["no verdict in the reply"] });
});

it("keeps why a verdict is void in its file", async () => {
  const cut = { text: verdict, finish: "cut" } as const;
  const judged = await judge(cut, cut);
  const problems = ["the reply was cut off"];
  expect(judged.reading).toEqual({ kind: "void", problems });
  expect(readVerdictFile(verdictText(judged))).toEqual({ kind: "void", problems });
  expect(readVerdictFile(verdict).kind).toBe("read");
});
