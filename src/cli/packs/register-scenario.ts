import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import {
  assistantChangeOptions,
  runOptions,
  userModelHelp,
  withManifest,
} from "./register-pack.ts";
import type { CaseFlags, RunReviewFlags, ScenarioFlags } from "./scenario-actions.ts";

const actions = () => import("./scenario-actions.ts");

/** `signoff scenario run`, `case run` and `run review`. */
export function registerScenario(program: Command, cli: CliContext): void {
  const scenario = program
    .command("scenario")
    .description("ask a live assistant a chain of questions in one session");
  runOptions(withManifest(scenario.command("run")))
    .description("ask the steps in order; later steps may use earlier answers")
    .option("--user-model <model>", userModelHelp)
    .action(async (flags: ScenarioFlags) => (await actions()).runScenario(cli, flags));
  const single = program.command("case").description("ask a live assistant one question");
  assistantChangeOptions(runOptions(withManifest(single.command("run"))))
    .description("ask it and keep the answer; --rerun asks again after a repair")
    .argument("[question]", "instead of a manifest")
    .option("--case-id <id>", "name of the case, for a question without a manifest", "case")
    .option("--rerun", "write the answer beside the baseline")
    .action(async (question: string | undefined, flags: CaseFlags) =>
      (await actions()).runCase(cli, question, flags),
    );
  const run = program.command("run").description("work with runs from other tools");
  run
    .command("review")
    .description("judge a run from another tool by its visible answers")
    .argument("<id>", "run id, as in its file names")
    .option("--manifest <file>", "a pack whose expectations apply to equal questions")
    .option("--transcript <file>", "a pasted conversation instead of the run's own files")
    .option("--output-dir <folder>", "where to write the review")
    .option("--print-summary", "print the findings")
    .action(async (id: string, flags: RunReviewFlags) =>
      (await actions()).reviewRunCommand(cli, id, flags),
    );
}
