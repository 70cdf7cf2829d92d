import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Attack,
  after,
  draft,
  pack,
  packRun,
  planted,
  settings,
  stage,
  stageRun,
} from "./attack.ts";
import { forged } from "./bait.ts";

export const leaveFolder: readonly Attack[] = [
  {
    by: "settings",
    tries: "runs outside",
    act: after((b) => {
      settings(b, "scenarios: { output_dir: ../outside }\n");
      b.write("pack.yaml", pack());
    }, packRun),
  },
  {
    by: "settings",
    tries: "runs at an absolute path",
    act: after(
      (b) => {
        settings(b, `scenarios: { output_dir: "${b.outside}", library: "${b.outside}" }\n`);
        b.write("pack.yaml", pack());
      },
      packRun,
      [
        "pack",
        "save",
        "--manifest",
        "pack.yaml",
        "--allow-unvalidated",
        "--unvalidated-reason",
        "x",
      ],
    ),
  },
  {
    by: "settings",
    tries: "the lock outside",
    act: after(
      (b) => settings(b, "notes: { lock: ../outside/lock, exports: ../outside/reviews }\n"),
      ["notes", "review", "--yes"],
      ["notes", "lock"],
      ["notes", "export"],
    ),
  },
  {
    by: "settings",
    tries: "the log by .env",
    act: after(
      (b) =>
        b.write(
          ".env",
          "SIGNOFF_LOG_FILE=../outside/log\nSIGNOFF_METRICS_FILE=../outside/m\nSIGNOFF_CRASH_LOG=../outside/c\n",
        ),
      draft,
    ),
  },
  {
    by: "manifest",
    tries: "a path as a pack's id",
    act: after(
      (b) => b.write("pack.yaml", pack().replace("shop_pack", "../../outside/pack")),
      packRun,
    ),
  },
  {
    by: "manifest",
    tries: "a path as a scenario's id",
    act: after(
      (b) =>
        b.write(
          "pack.yaml",
          pack().replace("scenario_id: stock", "scenario_id: ../../../../outside/x"),
        ),
      packRun,
    ),
  },
  {
    by: "manifest",
    tries: "a path as a step's id",
    act: after(
      (b) =>
        b.write("pack.yaml", pack().replace("step_id: one", "step_id: ../../../../../outside/x")),
      packRun,
    ),
  },
  {
    by: "manifest",
    tries: "a path as a stage's id",
    act: after(
      (b) => {
        b.write("stage.yaml", stage("").replace("stage_id: shop", "stage_id: ../../../outside/s"));
        b.write("pack.yaml", pack());
      },
      stageRun,
      ["stage", "status", "--manifest", "stage.yaml"],
    ),
  },
  {
    by: "manifest",
    tries: "a scenario from outside",
    act: after((b) => {
      writeFileSync(join(b.project, "..", "secret.yaml"), `${forged}: here\n`);
      b.write("pack.yaml", "pack_id: p\ndomain: shop\nscenarios: [../secret.yaml]\n");
    }, packRun),
  },
  {
    by: "manifest",
    tries: "an episode's path for its id",
    act: after(
      () => undefined,
      ["episode", "init", "--episode-id", "../../outside/e", "--workspace", "bread"],
    ),
  },
  {
    by: "link",
    tries: "the store behind a link",
    act: after((b) => symlinkSync(b.outside, join(b.project, ".signoff")), draft, ["runs", "list"]),
  },
  {
    by: "link",
    tries: "the lock behind a link",
    act: after(
      (b) => {
        b.git("rm", "-q", "--cached", "--ignore-unmatch", "signoff.lock");
        symlinkSync(join(b.outside, "lock"), join(b.project, "signoff.lock"));
      },
      ["notes", "review", "--yes", "--model", "offline/rules"],
      ["notes", "lock"],
    ),
  },
  {
    by: "link",
    tries: "the notes behind a link",
    act: after(
      (b) => symlinkSync(b.outside, join(b.project, "notes", "more")),
      ["notes", "status"],
      ["notes", "mv", "notes/prices.md", "notes/more/prices.md"],
    ),
  },
  {
    by: "link",
    tries: "the artifacts behind a link",
    act: after((b) => {
      symlinkSync(b.outside, join(b.project, "artifacts"));
      b.write("pack.yaml", pack());
    }, packRun),
  },
  {
    by: "link",
    tries: "a recipe behind a link",
    act: after(
      (b) => {
        writeFileSync(join(b.project, "..", "private.md"), `${forged} private words`);
        b.write("signoff/recipes/x.md", "");
        symlinkSync(
          join(b.project, "..", "private.md"),
          join(b.project, "signoff/recipes/private.md"),
        );
      },
      ["recipes", "list"],
      [...draft, "--recipe", "private"],
    ),
  },
  {
    by: "note",
    tries: "a move out of the folder",
    act: after(() => undefined, ["notes", "mv", "notes/prices.md", "../outside/prices.md"]),
  },
  {
    by: "reply",
    tries: "files of a scripted reply",
    act: after(
      planted(
        JSON.stringify({
          creator: [{ text: "x", mutate_files: { "../outside/x": "y" } }],
          reviewer: ["SHIP IT!"],
        }),
      ),
      [...draft, "--script", "replies.json"],
    ),
  },
];
