import { expect } from "vitest";
import { signoff } from "./scenario-cli.ts";
import { defectFile, type StageStory, stageFolder } from "./stage-story.ts";

export const run = ["run", "--skip-question-review"];
export const manifest = "examples/stage/stage.yaml";
export const packFile = "examples/scenario-pack/pack.yaml";
export const summaryFile = `${stageFolder}/stage_loop_summary.json`;

/** What every door says about a stage that must not be closed. */
export async function refused(shop: StageStory, ...why: readonly string[]): Promise<void> {
  const status = await shop.json("status");
  expect(status.accepted_gate).toBe(false);
  const closing = await shop.json("close", "--confirmed-by", "Mallory");
  expect(closing.code).toBe(1);
  expect(["closed", "ready_for_manual_confirmation"]).not.toContain(
    closing.stage_closing_gate.status,
  );
  const verified = await verify(shop);
  expect(verified.code).toBe(1);
  const { missing } = verified.standing;
  const texts = missing?.map(({ text }) => text).join("; ");
  for (const part of why) expect(texts).toContain(part);
  for (const { command } of missing ?? []) expect(command).toMatch(/^signoff stage \w/);
}

export async function verify({ path }: StageStory) {
  const ended = await signoff(path, ["verify", "shop_answers", "--json"]);
  const { standings } = JSON.parse(ended.out) as {
    readonly standings: readonly {
      readonly accepted: boolean;
      readonly why: string;
      readonly deciders?: readonly string[];
      readonly missing?: readonly { readonly text: string; readonly command: string }[];
    }[];
  };
  const [standing] = standings;
  if (standing === undefined) throw new Error(ended.out);
  return { code: ended.code, standing };
}

/** A coder that runs these lines, then repairs the shop and says so. */
export function coderThat(shop: StageStory, ...lines: readonly string[]): readonly string[] {
  const claim = {
    coder_status: "patched",
    summary: "done",
    changed_files: [],
    decision_needed: null,
  };
  const repair = `require("node:fs").writeFileSync("${defectFile}", "")`;
  const say = `console.log(${JSON.stringify(JSON.stringify(claim))})`;
  shop.write("coder.cjs", [repair, ...lines, say].join(";\n"));
  return ["--coder", "node", "coder.cjs"];
}

export const repaired = (shop: StageStory) => shop.write(defectFile, "");
