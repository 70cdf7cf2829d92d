import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { runOptions, withManifest } from "./register-pack.ts";
import type { CaseFlags, RunReviewFlags, ScenarioFlags } from "./scenario-actions.ts";

/** `signoff scenario run`, `case run` and `run review`. */
export function registerScenario(program: Command, cli: CliContext): void {
  const scenario = program
    .command("scenario")
    .description("play one chain of questions in one session of a live assistant");
  runOptions(withManifest(scenario.command("run")))
    .description("ask the steps in order; later ones may use earlier answers")
    .action(async (flags: ScenarioFlags) => (await actions()).runScenario(cli, flags));
  const single = program.command("case").description("ask a live assistant one question");
  runOptions(withManifest(single.command("run")))
    .description("ask it, keep the answer; --rerun asks again after a repair")
    .argument("[question]", "instead of a manifest")
    .option("--case-id <id>", "name of the case, for a question without a manifest", "case")
    .option("--rerun", "write the answer beside the baseline")
    .action(async (question: string | undefined, flags: CaseFlags) =>
      (await actions()).runCase(cli, question, flags),
    );
  const run = program.command("run").description("work with runs made elsewhere");
  run
    .command("review")
    .description("judge a run that was made elsewhere by its visible answers")
    .argument("<id>", "id of the run, as its files are named")
    .option("--manifest <file>", "a pack whose expectations apply to equal questions")
    .option("--transcript <file>", "a pasted conversation instead of the run's own files")
    .option("--output-dir <folder>", "where the review goes")
    .option("--print-summary", "show the findings")
    .option("--json", "print one JSON document")
    .action(async (id: string, flags: RunReviewFlags) =>
      (await actions()).reviewRunCommand(cli, id, flags),
    );
}

function actions() {
  return import("./scenario-actions.ts");
}
