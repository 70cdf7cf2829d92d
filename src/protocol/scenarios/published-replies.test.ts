import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deriveVerdict } from "../../domain/scenarios/derived-verdict.ts";
import { publishedReplies } from "./published-replies.ts";
import { coderResultFileShape, writeCoderResult } from "./repair-prompt.ts";
import { verdictFileShape, writeVerdict } from "./verdict-format.ts";

test("the schemas in schemas/ are those of this code", () => {
  for (const [name, schema] of publishedReplies()) {
    const file = new URL(`../../../schemas/${name}`, import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8")), name).toEqual(
      JSON.parse(JSON.stringify(schema)),
    );
  }
});

test("what is written keeps them", () => {
  const verdict = deriveVerdict({ packId: "shop", title: "The shop", scenarios: [] }, []);
  verdictFileShape.parse(JSON.parse(writeVerdict(verdict)));
  const result = { status: "interrupted", summary: "", changedFiles: [] } as const;
  coderResultFileShape.parse(JSON.parse(writeCoderResult(result)));
});
