import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";
import type { PickFlags, UnlockFlags } from "./episode-rulings.ts";
import type { AddFlags, EpisodeInitFlags, WorkspaceFlags } from "./episode-setup.ts";
import type { DraftAssetsFlags, SummarizeFlags } from "./episode-writing.ts";
import type { EpisodeReviewFlags } from "./review-command.ts";

/** `signoff episode …`: from a transcript to thirteen texts that both sides signed. */
export function registerEpisode(program: Command, cli: CliContext): void {
  const episode = program
    .command("episode")
    .description("a podcast episode's workspace, from transcript to signed-off copy")
    .addHelpText("after", examples);
  registerSetup(episode, cli);
  registerWriting(episode, cli);
  registerReview(episode, cli);
  registerRulings(episode, cli);
}

const examples = `
Examples:
  $ signoff episode init --episode-id ep_012
  $ cd episodes/ep_012
  $ signoff episode add --transcript talk.vtt --chapters chapters.txt --host "Ada Bell"
  $ signoff episode chunk
  $ signoff episode summarize
  $ signoff episode draft
  $ signoff episode review --all
  $ signoff episode status`;

function registerSetup(episode: Command, cli: CliContext): void {
  episode
    .command("init")
    .description("make a workspace")
    .requiredOption("--episode-id <id>", "letters, digits, dot, underscore and hyphen")
    .option("--workspace <folder>", "where; default: ./episodes/<id>")
    .option("--json", "print one JSON document")
    .action(async (flags: EpisodeInitFlags) => (await setup()).initEpisode(cli, flags));
  inWorkspace(episode.command("add"))
    .description("bring a transcript, chapters, hosts and tracks into the workspace")
    .option("--transcript <file>", "plain text, `HH:MM:SS Speaker:` lines, WebVTT or SubRip")
    .option("--chapters <file>", "one `MM:SS Title` or `HH:MM:SS Title` a line")
    .option("--host <name>", "a person who hosts; may be given more than once", collect)
    .option("--language <code>", "of the texts; default: the transcript's")
    .option("--track <file>", "an audio file, which stays where it is; may be repeated", collect)
    .option("--role <role>", "of these tracks, such as mix")
    .action(async (flags: AddFlags) => (await setup()).addToEpisode(cli, flags));
  inWorkspace(episode.command("chunk"))
    .description("cut the transcript into overlapping chunks")
    .action(async (flags: WorkspaceFlags) => (await setup()).chunkCommand(cli, flags));
  inWorkspace(episode.command("status"))
    .description("how far everything is, what is stale, and what to do next")
    .action(async (flags: WorkspaceFlags) => (await setup()).episodeStatus(cli, flags));
}

function registerWriting(episode: Command, cli: CliContext): void {
  inWorkspace(episode.command("summarize"))
    .description("sum up each chunk, then the episode; what is done is not asked for again")
    .option("-m, --model <model>", "who sums up")
    .option("-q, --quiet", "show the result only")
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .action(async (flags: SummarizeFlags) => (await writing()).summarizeCommand(cli, flags));
  inWorkspace(episode.command("draft"))
    .description("write first drafts of each text")
    .option("--asset-id <asset>", "only this text; may be given more than once", collect)
    .option("-n, --candidates <n>", "drafts of each", wholeNumberFlag, 3)
    .option("-m, --model <model>", "who writes")
    .option("--new", "write more although there are enough")
    .option("-q, --quiet", "show the result only")
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .action(async (flags: DraftAssetsFlags) => (await writing()).draftCommand(cli, flags));
}

function registerReview(episode: Command, cli: CliContext): void {
  inWorkspace(episode.command("review"))
    .description("write and review a text until both sides sign")
    .option("--asset-id <asset>", "which text")
    .option("--all", "all thirteen, side by side")
    .option("--max-iterations <n>", "most iterations, counting those already done", wholeNumberFlag)
    .option("-m, --model <model>", "who writes, and reviews unless another reviewer is named")
    .option("--reviewer-model <model>", "who reviews")
    .option("--fake-runner", "a scripted pair; makes ./demo_workspace where there is no workspace")
    .option("--script <file>", "take all replies from a file")
    .option("--restart", "put the protocol aside and begin at iteration 1; needs --reason")
    .option("--reason <text>", "why; kept with the act")
    .option("--by <name>", "who acts; default: SIGNOFF_USER, else git's name, else the login")
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .addHelpText("after", reviewHelp)
    .action(async (flags: EpisodeReviewFlags) => (await reviews()).reviewCommand(cli, flags));
}

const reviewHelp = `
A text whose loop has ended is left alone: \`episode unlock\` lets it go on, --restart begins anew.

Examples:
  $ signoff episode review --asset-id description
  $ signoff episode review --all --max-iterations 5
  $ signoff episode review --fake-runner --asset-id description --max-iterations 2`;

function registerRulings(episode: Command, cli: CliContext): void {
  inWorkspace(episode.command("pick"))
    .description("choose a text yourself")
    .option("--asset-id <asset>", "which text")
    .option("--candidate-id <uuid>", "which of its candidates")
    .option("--reason <text>", "why; needed to replace a locked text")
    .option("--by <name>", "who chooses; default: SIGNOFF_USER, else git's name, else the login")
    .action(async (flags: PickFlags) => (await rulings()).pickCommand(cli, flags));
  inWorkspace(episode.command("unlock"))
    .description("let the loop change a locked text, or go on after its decision")
    .requiredOption("--asset-id <asset>", "which text")
    .requiredOption("--reason <text>", "why; kept with the act")
    .option("--by <name>", "who acts; default: SIGNOFF_USER, else git's name, else the login")
    .action(async (flags: UnlockFlags) => (await rulings()).unlockCommand(cli, flags));
}

function inWorkspace(command: Command): Command {
  return command
    .option("--workspace <folder>", "default: the nearest folder upward with an episode.yaml")
    .option("--json", "print one JSON document");
}

function setup() {
  return import("./episode-setup.ts");
}

function writing() {
  return import("./episode-writing.ts");
}

function reviews() {
  return import("./review-command.ts");
}

function rulings() {
  return import("./episode-rulings.ts");
}
