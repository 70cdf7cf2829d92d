import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { byHelp, whyHelp, withProgress } from "../shell/common-options.ts";
import { atLeastOneFlag, collect } from "../shell/flag-values.ts";
import { advisingHere } from "./advising-here.ts";
import type { EpisodeEditFlags } from "./edit-command.ts";
import type { ActFlags } from "./episode-rulings.ts";
import type { AddFlags, EpisodeInitFlags, WorkspaceFlags } from "./episode-setup.ts";
import type { DraftAssetsFlags, SummarizeFlags } from "./episode-writing.ts";
import type { PickFlags } from "./pick-command.ts";
import type { EpisodeReviewFlags } from "./review-command.ts";

const setup = () => import("./episode-setup.ts");
const writing = () => import("./episode-writing.ts");
const reviews = () => import("./review-command.ts");
const edits = () => import("./edit-command.ts");
const picks = () => import("./pick-command.ts");
const rulings = () => import("./episode-rulings.ts");

/** `signoff episode …`: from a transcript to thirteen texts that both sides signed. */
export function registerEpisode(program: Command, cli: CliContext): void {
  const episode = program
    .command("episode")
    .description("take a podcast episode from its transcript to signed-off copy")
    .addHelpText("after", examples);
  registerSetup(episode, cli);
  registerWriting(episode, cli);
  registerReview(episode, cli);
  registerEdit(episode, cli);
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
    .description("create a workspace")
    .requiredOption("--episode-id <id>", "letters, digits, dots, underscores and hyphens")
    .option("--workspace <folder>", "where to create it (default: ./episodes/<id>)")
    .action(
      advisingHere(async (flags: EpisodeInitFlags) => (await setup()).initEpisode(cli, flags)),
    );
  inWorkspace(episode, "add")
    .description("add a transcript, chapters, hosts and tracks to the workspace")
    .option(
      "--transcript <file>",
      "text, WebVTT, SubRip, or the output of Whisper, Otter, Descript and others",
    )
    .option(
      "--chapters <file>",
      "lines of `MM:SS Title`, or a file of Auphonic, Audacity, FFmpeg and others",
    )
    .option("--host <name>", "name of a host; can be repeated", collect)
    .option("--language <code>", "language of the texts (default: the transcript's)")
    .option("--track <file>", "an audio file, which is not copied; can be repeated", collect)
    .option("--role <role>", "role of these tracks, such as mix")
    .action(advisingHere(async (flags: AddFlags) => (await setup()).addToEpisode(cli, flags)));
  inWorkspace(episode, "chunk")
    .description("split the transcript into overlapping chunks")
    .action(
      advisingHere(async (flags: WorkspaceFlags) => (await setup()).chunkCommand(cli, flags)),
    );
  inWorkspace(episode, "status")
    .description("show what is done, what is stale, and what to do next")
    .action(
      advisingHere(async (flags: WorkspaceFlags) => (await setup()).episodeStatus(cli, flags)),
    );
}

function registerWriting(episode: Command, cli: CliContext): void {
  inWorkspace(episode, "summarize")
    .description("summarize each chunk, then the episode; finished summaries are reused")
    .option("-m, --model <model>", "model that summarizes")
    .option("-q, --quiet", "print only the result")
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .action(
      advisingHere(async (flags: SummarizeFlags) => (await writing()).summarizeCommand(cli, flags)),
    );
  inWorkspace(episode, "draft")
    .description("write first drafts of each text")
    .option("--asset-id <asset>", "only this text; can be repeated", collect)
    .option("-n, --candidates <n>", "drafts of each text", atLeastOneFlag, 3)
    .option("-m, --model <model>", "model that writes")
    .option("--new", "write more even if there are enough")
    .option("-q, --quiet", "print only the result")
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .action(
      advisingHere(async (flags: DraftAssetsFlags) => (await writing()).draftCommand(cli, flags)),
    );
}

function registerReview(episode: Command, cli: CliContext): void {
  const review = inWorkspace(episode, "review")
    .description("write and review a text until both sides sign")
    .option("--asset-id <asset>", "which text (default: description); can be repeated", collect)
    .option("--all", "all thirteen, in parallel")
    .option("--max-iterations <n>", "turn limit, including turns already taken", atLeastOneFlag)
    .option("-m, --model <model>", "model that writes, and reviews unless another is named")
    .option("--reviewer-model <model>", "model that reviews")
    .option("--fake-runner", "a scripted pair; creates ./demo_workspace if there is no workspace")
    .option("--episode-id <id>", "of the workspace that --fake-runner creates")
    .option("--script <file>", "read all replies from a file")
    .option("--restart", "archive the protocol and start at turn 1")
    .option("--reason <text>", whyHelp)
    .option("--by <name>", byHelp);
  withProgress(review)
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .addHelpText("after", reviewHelp)
    .action(
      advisingHere(async (flags: EpisodeReviewFlags) =>
        (await reviews()).reviewCommand(cli, flags),
      ),
    );
}

const reviewHelp = `
A text whose loop has ended is left alone: \`episode unlock\` continues it, --restart starts over.

Examples:
  $ signoff episode review --asset-id description
  $ signoff episode review --all --max-iterations 5
  $ signoff episode review --fake-runner --asset-id description --max-iterations 2`;

function registerEdit(episode: Command, cli: CliContext): void {
  const edit = inWorkspace(episode, "edit")
    .description("have a text of your own reviewed like any other")
    .requiredOption("--asset-id <asset>", "which text")
    .option("--text <text>", "the text")
    .option("--file <file>", "read the text from a file, - for standard input")
    .option("-m, --model <model>", "model that reviews, and writes if something must change")
    .option("--reviewer-model <model>", "model that reviews")
    .option("--script <file>", "read all replies from a file")
    .option("--reason <text>", "why; kept with the decision")
    .option("--by <name>", byHelp);
  withProgress(edit)
    .addHelpText("after", editHelp)
    .action(
      advisingHere(async (flags: EpisodeEditFlags) => (await edits()).editCommand(cli, flags)),
    );
}

const editHelp = `
Without --text and --file the selected file is reviewed as it is now. A locked or decided text is unlocked.

Examples:
  $ signoff episode edit --asset-id slug --text slow-bread
  $ signoff episode edit --asset-id description --file my-text.md
  $ signoff episode edit --asset-id description`;

function registerRulings(episode: Command, cli: CliContext): void {
  inWorkspace(episode, "pick")
    .description("select a text yourself; without a terminal, list the texts and their commands")
    .option("--asset-id <asset>", "which text")
    .option("--candidate-id <uuid>", "which of its candidates")
    .option("--reason <text>", `of replacing a locked text: ${whyHelp}`)
    .option("--by <name>", byHelp)
    .action(advisingHere(async (flags: PickFlags) => (await picks()).pickCommand(cli, flags)));
  act(episode, "adopt")
    .description("take the selected text, edited or stale, as your own")
    .action(advisingHere(async (flags: ActFlags) => (await rulings()).adoptCommand(cli, flags)));
  act(episode, "unlock")
    .description("let the loop change a locked or picked text, or continue after its decision")
    .action(advisingHere(async (flags: ActFlags) => (await rulings()).unlockCommand(cli, flags)));
}

function act(episode: Command, name: string): Command {
  return inWorkspace(episode, name)
    .requiredOption("--asset-id <asset>", "which text")
    .option("--reason <text>", whyHelp)
    .option("--by <name>", byHelp);
}

function inWorkspace(episode: Command, name: string): Command {
  const help = "default: the nearest folder upward that has an episode.yaml";
  return episode.command(name).option("--workspace <folder>", help);
}
