import type { EndedProcess } from "../../support/signoff-process.ts";
import type { Bait } from "./bait.ts";

export interface Attack {
  readonly by: "settings" | "git" | "manifest" | "note" | "recipe" | "reply" | "link";
  readonly tries: string;
  /** Returns everything that was printed. */
  readonly act: (bait: Bait) => Promise<readonly EndedProcess[]>;
}

export const draft = ["draft", "water bottles", "--max-turns", "2"];
export const settings = (bait: Bait, yaml: string) =>
  bait.write("signoff.yaml", `version: 1\n${yaml}`);
export const after =
  (plant: (bait: Bait) => void, ...commands: readonly (readonly string[])[]): Attack["act"] =>
  async (bait) => {
    plant(bait);
    const ended: EndedProcess[] = [];
    for (const args of commands) ended.push(await bait.run(...args));
    return ended;
  };

export const stage = (more: string) =>
  `stage_id: shop\nmodule_name: shop\npack_manifest: pack.yaml\n${more}`;
export const pack = (more = "") =>
  `pack_id: shop_pack\ndomain: shop\n${more}scenarios:\n  - scenario_id: stock\n    domain: shop\n    steps: [{ step_id: one, question: "What is in stock?" }]\n`;
export const packRun = ["pack", "run", "--manifest", "pack.yaml", "--skip-question-review", "-q"];
export const stageRun = [
  "stage",
  "run",
  "--manifest",
  "stage.yaml",
  "--skip-question-review",
  "-q",
];
export const planted = (text: string) => (bait: Bait) => {
  bait.write("replies.json", text);
};
export const reply = (creator: string, reviewer = "SHIP IT!") =>
  after(
    planted(JSON.stringify({ creator: [creator, "Hydrate"], reviewer: [reviewer, "SHIP IT!"] })),
    [...draft, "--script", "replies.json"],
  );
