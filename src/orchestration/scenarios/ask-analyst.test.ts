import { expect, it } from "vitest";
import { deriveVerdict } from "../../domain/scenarios/derived-verdict.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import type { VerdictReading } from "../../domain/scenarios/verdict.ts";
import type { Digest } from "../../domain/values/digest.ts";
import type { Key } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Ask, AskEnding } from "../../ports/flow.ts";
import type { Reply } from "../../ports/runner.ts";
import { readVerdictFile, writeVerdict } from "../../protocol/scenarios/verdict-format.ts";
import { askAnalysts, readRecordedVerdicts } from "./ask-analyst.ts";

const shop: PackRecord = { packId: "shop", title: "The shop's suppliers", scenarios: [] };
const verdict = writeVerdict(deriveVerdict(shop, []));
const input = { analystModel: "ollama/mistral" };

/** As the gate would: the reservations alone keep it shut. */
const accepts = (reading: VerdictReading) =>
  reading.kind === "read" && reading.signature.how !== "refused";

const asked: string[] = [];

function judge(...replies: readonly Pick<Reply, "text" | "finish">[]) {
  asked.length = 0;
  const at = instant("2026-11-15T12:00:00.000Z");
  const left = [...replies];
  const askAll = async ([ask]: readonly Ask[]) => {
    asked.push(ask?.request.user ?? "");
    const reply = left.shift() ?? { text: "", finish: "complete" as const };
    const times = { startedAt: at, finishedAt: at, replayed: false };
    return [{ kind: "replied", reply: { ...reply, model: "mistral", ...times } } as const];
  };
  return askAnalysts(
    { askAll, nonce: () => "c0de" },
    { number: 1, record: shop, targets: [], input, asked: 0, accepts, decisions: [] },
  );
}

it("asks again when the reply was cut, however whole the verdict looks", async () => {
  const judged = await judge(
    { text: verdict, finish: "cut" },
    { text: "I forgot.", finish: "complete" },
  );
  expect(judged.reading).toEqual({ kind: "void", problems: ["no verdict in the reply"] });
});

it("says which member a verdict lacks, and asks for the whole again", async () => {
  const { quality_score: _, ...without } = JSON.parse(verdict) as Record<string, unknown>;
  const complete = (text: string) => ({ text, finish: "complete" }) as const;
  const judged = await judge(complete(JSON.stringify(without)), complete(verdict));
  expect(asked.at(1)).toContain("quality_score is missing. Give the whole verdict again");
  expect(judged.reading.kind).toBe("read");
});

it("keeps why a verdict is void in its file", async () => {
  const cut = { text: verdict, finish: "cut" } as const;
  const judged = await judge(cut, cut);
  const problems = ["the reply was cut off"];
  expect(judged.reading).toEqual({ kind: "void", problems });
  expect(readVerdictFile(judged.texts.get("analyst") ?? "")).toEqual({ kind: "void", problems });
  expect(readVerdictFile(verdict).kind).toBe("read");
});

it.each([
  ['{"verdict":"ok"}', "asked"],
  ["Well, the date is wrong.", "refused"],
])("asks once to sign an acceptance with a summary; %s leaves it %s", async (second, how) => {
  const complete = (text: string) => ({ text, finish: "complete" }) as const;
  const judged = await judge(complete(verdict), complete(second));
  expect(judged.reading).toMatchObject({ kind: "read", signature: { how } });
  const find = async (key: string) => {
    const at = { "iteration/1/analyst": verdict, "iteration/1/analyst/question": second }[key];
    const value = { text: at ?? "", model: "mistral", finish: "complete" };
    return at === undefined ? undefined : { key: key as Key, digest: "" as Digest, value };
  };
  expect(await readRecordedVerdicts(find, 1, input)).toEqual(judged.answers);
});

it("asks each of several analysts with its own words, and one whose call fails is absent", async () => {
  const members = [
    { name: "legal", model: "a/legal", criteria: "Only what the law forbids." },
    { name: "sales", model: "a/sales" },
  ];
  const asked: Ask[] = [];
  const reply = { text: verdict, model: "m", finish: "complete", replayed: false } as const;
  const at = instant("2026-11-15T12:00:00.000Z");
  const askAll = async (asks: readonly Ask[]): Promise<readonly AskEnding[]> => {
    asked.push(...asks);
    const error = { code: "down", message: "down", retryable: false, facts: {} };
    return asks.map(({ request }) =>
      request.model === "a/legal"
        ? { kind: "failed", error }
        : { kind: "replied", reply: { ...reply, startedAt: at, finishedAt: at } },
    );
  };
  const panel = { analystModel: "a/sales", analysts: { rule: "all", members } } as const;
  const { answers } = await askAnalysts(
    { askAll, nonce: () => "c0de" },
    {
      ...{ number: 1, record: shop, targets: [], input: panel, asked: 0 },
      decisions: [],
      accepts: () => false,
    },
  );
  expect(answers.map(({ name, reading }) => [name, reading?.kind])).toEqual([
    ["legal", undefined],
    ["sales", "read"],
  ]);
  expect(asked.map(({ key }) => key)).toEqual([
    "iteration/1/analyst/legal",
    "iteration/1/analyst/sales",
  ]);
  expect(asked[0]?.request.user).toContain("Only what the law forbids.");
});
