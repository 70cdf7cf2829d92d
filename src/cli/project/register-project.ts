import { Argument, type Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { DoctorFlags } from "./doctor-action.ts";
import type { InitFlags } from "./init-action.ts";
import type { ModelsFlags } from "./models-action.ts";
import type { CopyFlags, MigrateFlags } from "./shared-store-action.ts";
import type { TrustFlags } from "./trust-action.ts";

export function registerInit(program: Command, cli: CliContext): void {
  program
    .command("init")
    .description("write a commented signoff.yaml here; offers Ollama's models if it is running")
    .option("-m, --model <model>", "model that writes and reviews; skips the question")
    .action(async (flags: InitFlags) => (await import("./init-action.ts")).initProject(cli, flags));
}

export function registerDoctor(program: Command, cli: CliContext): void {
  program
    .command("doctor")
    .description("compare the project's files with its store and report problems")
    .option("--repair", "rewrite records that differ from the store")
    .action(async (flags: DoctorFlags) =>
      (await import("./doctor-action.ts")).runDoctor(cli, flags),
    );
}

export function registerVerify(program: Command, cli: CliContext): void {
  program
    .command("verify")
    .description("derive each acceptance again from its evidence, and say what is missing")
    .argument("[what]", "only this run, episode text, note, pack or stage, or all of one kind")
    .action(async (what: string | undefined, flags: JsonFlags) =>
      (await import("./verify-action.ts")).verifyAcceptances(cli, what, flags),
    );
}

export function registerModels(program: Command, cli: CliContext): void {
  program
    .command("models")
    .description("list each provider's models and the default model")
    .option("--base-url <url>", "address of Ollama")
    .option("--prices", "show what models cost, since when, and where that was read")
    .addHelpText("after", "\nHosted providers are asked if their key is in the environment.")
    .action(async (flags: ModelsFlags) => {
      const { showModels, showPrices } = await import("./models-action.ts");
      return flags.prices === true ? showPrices(cli, flags) : showModels(cli, flags);
    });
}

const configActions = () => import("./config-actions.ts");

export function registerConfig(program: Command, cli: CliContext): void {
  const config = program
    .command("config")
    .description("show and change settings")
    .addHelpText(
      "after",
      "\nPrecedence: flag, environment, .env, signoff.yaml, default; the first one set wins.",
    );
  config
    .command("show")
    .description("show every setting, its value and its source")
    .argument("[name]", "only this setting, or those below it")
    .action(async (name: string | undefined, flags: JsonFlags) =>
      (await configActions()).showConfig(cli, name, flags),
    );
  config
    .command("set")
    .description("change one setting in signoff.yaml; comments and order are preserved")
    .argument("<name>", "such as drafting.max_turns")
    .argument("<value>", "a value, or YAML for lists")
    .action(async (name: string, value: string, flags: JsonFlags) =>
      (await configActions()).setConfig(cli, { key: name, value }, flags),
    );
  config
    .command("path")
    .description("print the path of this project's signoff.yaml")
    .action(async (flags: JsonFlags) => (await configActions()).showConfigPath(cli, flags));
}

export function registerTrust(program: Command, cli: CliContext): void {
  program
    .command("trust")
    .description("show which programs and keys this project's settings use, and trust them")
    .option("--manifest <file>", "trust the coder of this stage manifest instead of the settings")
    .option("-y, --yes", "trust without being asked")
    .addHelpText("after", trustHelp)
    .action(async (flags: TrustFlags) => {
      const { manifest } = flags;
      if (manifest === undefined)
        return (await import("./trust-action.ts")).trustProject(cli, flags);
      const { trustCoder } = await import("./trust-coder-action.ts");
      return trustCoder(cli, { ...flags, manifest });
    });
}

const trustHelp = `
Trust is stored in your own configuration folder. It covers only this folder, and any change to the
trusted settings revokes it. In CI, use --trust or SIGNOFF_TRUST=<digest>.`;

export function registerStore(program: Command, cli: CliContext): void {
  const actions = () => import("./store-action.ts");
  const store = program
    .command("store")
    .description("inspect, check, copy and restore the record: every reply, event and decision");
  store
    .command("size")
    .description("show its size and what it contains")
    .action(async (flags: JsonFlags) => (await actions()).showSize(cli, flags));
  store
    .command("backup")
    .description("copy the file to a new one, also while runs are in progress")
    .argument("<file>", "where the copy goes; must not exist")
    .action(async (file: string, flags: JsonFlags) => (await actions()).backUp(cli, file, flags));
  store
    .command("restore")
    .description("put a backup in its place; the present store is kept beside it")
    .argument("[file]", "a backup; asked for at a terminal if it is left out")
    .action(async (file: string | undefined, flags: JsonFlags) =>
      (await actions()).restore(cli, file, flags),
    );
  store
    .command("recover")
    .description(
      "replace a damaged file by what can still be read; for a database that was restored, end all leases",
    )
    .action(async (flags: JsonFlags) => (await actions()).recover(cli, flags));
  store
    .command("check")
    .description("look for damage, and print what the record contains")
    .action(async (flags: JsonFlags) => (await actions()).check(cli, flags));
  store
    .command("migrate")
    .description("prepare the database in SIGNOFF_DATABASE_URL for this project, or update it")
    .option("--grant <role>", "also let this user of the database read and write the rows")
    .action(async (flags: MigrateFlags) =>
      (await import("./shared-store-action.ts")).migrateCommand(cli, flags),
    );
  store
    .command("copy")
    .description("copy the record between a file and the database, and compare both")
    .requiredOption("--from <store>", 'a file, or "database" for the one in SIGNOFF_DATABASE_URL')
    .requiredOption("--to <store>", "the same")
    .action(async (flags: CopyFlags) =>
      (await import("./shared-store-action.ts")).copy(cli, flags),
    );
}

const shells = ["bash", "zsh", "fish"] as const;

export function registerCompletion(program: Command, cli: CliContext): void {
  program
    .command("completion")
    .description("print a script that lets your shell complete commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .action(async (shell: (typeof shells)[number], flags: JsonFlags) => {
      const { describeCommands } = await import("../shell/command-tree.ts");
      const { renderCompletion } = await import("./render-completion.ts");
      const script = renderCompletion(shell, describeCommands(program));
      const json = flags.json === true;
      cli.screen.out.write(json ? `${JSON.stringify({ shell, script }, undefined, 2)}\n` : script);
    });
}
