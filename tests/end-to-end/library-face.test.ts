import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { parseScript } from "../../src/adapters/runners/scripted/script.ts";
import { createScriptedRunner } from "../../src/adapters/runners/scripted/scripted-runner.ts";
import * as library from "../../src/index.ts";
import { runnerConformance } from "../../src/testing/runner-conformance.ts";
import { OwnModels } from "../../src/wiring/models/own-models.ts";

it("exports every error that is thrown on purpose", () => {
  const pattern = "class [A-Za-z]+ extends (Workflow|Agent|Runner|Configuration)Error";
  const found = execFileSync("grep", ["-rhoE", pattern, "src", "--include=*.ts"], {
    encoding: "utf8",
  });
  const names = [...found.matchAll(/class (\w+)/gu)].map(([, name = ""]) => name);
  expect(names).toContain("RunHeld");
  for (const name of names) expect(library).toHaveProperty(name);
});

const scripted = () => {
  const replies = { creator: Array.from({ length: 9 }, () => "Lisbon"), reviewer: [] };
  return createScriptedRunner(parseScript(JSON.stringify(replies), "replies.json"));
};

/** A function as the engine gets it. */
const ofFunction = async () => {
  const own = new OwnModels();
  const model = own.nameOf(async () => "Lisbon", "writer");
  const clock = { now: () => new Date().toISOString() as never };
  const parts = { clock, settings: {} as never, redactor: {} as never };
  const { runner } = await own.runnersWith(() => Promise.reject(), parts)(model);
  return runner;
};

it.each(runnerConformance.map(({ title, run }) => [title, run] as const))(
  "a runner %s",
  async (_title, run) => {
    await run({ runner: scripted() });
    await run({ runner: await ofFunction() });
  },
);
