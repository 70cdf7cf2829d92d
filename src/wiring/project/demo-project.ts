import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProcessEnd, runProcess } from "../../adapters/runners/command/run-process.ts";
import { shippedFolder } from "../../adapters/workspace/shipped-folder.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Environment } from "../settings/environment.ts";
import { clockOf } from "./system-clock.ts";

/** Written last: a folder that has it is complete. */
const storyFile = "DEMO.md";
const defectFile = "examples/stage/assistant-defects.txt";
const episode = "episodes/long_shelf_12";
const packManifest = "examples/scenario-pack/pack.yaml";
const limits = { wallMs: 120_000, outputBytes: 10_000_000, graceMs: 2_000 };
/** Accepted, not accepted, waiting for a person. */
const fineCodes = [0, 1, 3];
const stageManifest = "examples/stage/stage.yaml";
const nightManifest = "examples/stage/night-reports.yaml";

export interface DemoProjectParts {
  readonly folder: string;
  /** This program, as a file that Node runs. */
  readonly program: string;
  readonly environment: Environment;
  /** Of the shop's assistant; it reads its defects from `demoDefects(folder)`. */
  readonly assistantUrl: string;
  /** Aborts the running command and the rest of the setup. */
  readonly signal: AbortSignal;
  readonly onCommand: (words: readonly string[]) => void;
}

export function demoDefectFile(folder: string): string {
  return join(folder, defectFile);
}

/** Whether the folder already contains the demo; refuses one that contains something else. */
export async function isDemoProject(folder: string): Promise<boolean> {
  if (!existsSync(folder) || (await readdir(folder)).length === 0) return false;
  if (existsSync(join(folder, storyFile))) return true;
  throw new ConfigurationError(`${folder} exists and is not a finished demo.`, {
    code: "folder-in-use",
    facts: { folder },
    hint: "Remove it, or name another folder with --into.",
  });
}

/** The initial files of the demo: notes and gates at the top, pack and stage below `examples`. */
export async function copyDemoFiles(folder: string): Promise<void> {
  const shipped = shippedFolder("examples", "stage");
  await mkdir(folder, { recursive: true });
  for (const name of ["notes", "signoff", "signoff.yaml"]) {
    await cp(join(shipped, "notes-with-gates", name), join(folder, name), { recursive: true });
  }
  for (const name of ["scenario-pack", "stage", "episode"]) {
    await cp(join(shipped, name), join(folder, "examples", name), { recursive: true });
  }
  const stage = await readFile(join(folder, stageManifest), "utf8");
  const night = stage
    .replace("shop_answers", "night_reports")
    .replace("The shop's answers", "Reports of the night shift");
  await writeFile(join(folder, nightManifest), night);
  await cp(join(shipped, "slogan", "demo"), folder, { recursive: true });
}

/** Brings every feature into an interesting state with the commands a user would type, four at a time. */
export async function makeDemoProject(parts: DemoProjectParts): Promise<void> {
  const demo = new Demo(parts);
  await Promise.all([drafts(demo), episodes(demo), notes(demo), packsAndStages(demo)]);
  const lines = demo.typed.map((words) => `    signoff ${words.map(shellWord).join(" ")}`);
  await writeFile(join(parts.folder, storyFile), `${introduction}${lines.join("\n")}\n`);
}

class Demo {
  readonly typed: (readonly string[])[] = [];
  readonly assistantUrl: string;
  readonly #parts: DemoProjectParts;

  constructor(parts: DemoProjectParts) {
    this.assistantUrl = parts.assistantUrl;
    this.#parts = parts;
  }

  path(...names: readonly string[]): string {
    return join(this.#parts.folder, ...names);
  }

  /** Rejections and open questions are part of the demo; any other failure ends it. */
  async type(...words: readonly string[]): Promise<void> {
    const { folder, program, environment, signal, onCommand } = this.#parts;
    const end = await runProcess({
      argv: [process.execPath, program, ...words],
      input: "",
      cwd: folder,
      environment: { ...environment.everything(), NO_COLOR: "1" },
      limits,
      clock: clockOf(environment),
      signal,
      // This program itself.
      guard: () => undefined,
    });
    if (end.kind !== "exited" || end.code === null || !fineCodes.includes(end.code)) {
      throw commandFailed(words, end);
    }
    this.typed.push(words);
    onCommand(words);
  }
}

async function drafts(demo: Demo): Promise<void> {
  for (const [name, turns, brief] of scriptedDrafts) {
    const limit = ["--max-turns", String(turns)];
    await demo.type("draft", brief, "--script", `${name}.json`, ...limit, "--quiet");
  }
  const brief = "eco-friendly water bottles for people who hike";
  await demo.type("draft", brief, "--model", "offline/rules", "--candidates", "2", "--quiet");
}

async function episodes(demo: Demo): Promise<void> {
  const at = ["--workspace", episode];
  const from = "examples/episode";
  await demo.type("episode", "init", "--episode-id", "long_shelf_12");
  await demo.type(
    ...["episode", "add", ...at, "--transcript", `${from}/transcript.txt`],
    ...["--chapters", `${from}/chapters.txt`, "--host", "Mira Olsen", "--host", "Tomas Reyes"],
  );
  await demo.type("episode", "chunk", ...at);
  await demo.type("episode", "summarize", ...at, "--model", "offline/rules", "--quiet");
  await demo.type("episode", "draft", ...at, "--model", "offline/rules", "--quiet");
  for (const [asset, most] of [
    ["title_detail", 4],
    ["description", 4],
    ["slug", 4],
    ["shownotes", 1],
  ] as const) {
    const review = ["episode", "review", ...at, "--asset-id", asset, "--model", "offline/rules"];
    await demo.type(...review, "--max-iterations", String(most), "--quiet");
  }
}

async function notes(demo: Demo): Promise<void> {
  const review = ["notes", "review", "--model", "offline/rules", "--limit", "300"];
  await demo.type(...review, "--yes", "--quiet");
  await appendFile(demo.path("notes", "allergens.md"), "\nSesame is kept in the cold room now.\n");
}

/** Pack runs that improve, a stage that needs a repair, and one that needs a person. */
async function packsAndStages(demo: Demo): Promise<void> {
  const shopHas = (defects: string) => writeFile(demo.path(defectFile), defects);
  const shop = ["--assistant-url", demo.assistantUrl];
  for (const defects of ["garbage\ncarryover\n", "carryover\n", ""]) {
    await shopHas(defects);
    await demo.type("pack", "run", "--manifest", packManifest, ...shop);
  }
  await shopHas("garbage\n");
  await demo.type("stage", "run", "--manifest", nightManifest, ...shop);
  await demo.type("stage", "continue", "--manifest", nightManifest);
  await demo.type("stage", "run", "--manifest", stageManifest, ...shop);
  await demo.type("stage", "prepare-repair", "--manifest", stageManifest);
  const coder = ["--coder", "node", "examples/stage/coders/fixes.mjs"];
  await demo.type("stage", "run-repair", "--manifest", stageManifest, ...coder);
  await demo.type("stage", "run", "--manifest", stageManifest, ...shop);
}

function commandFailed(words: readonly string[], end: ProcessEnd): WorkflowError {
  const said = end.kind === "not-started" ? end.reason : `${end.stdout}${end.stderr}`.trim();
  return new WorkflowError(`\`signoff ${words.join(" ")}\` failed.\n${said}`, {
    code: "demo-failed",
    facts: { command: words },
    hint: "Remove the folder before you try again.",
  });
}

/** Scripted drafts: the file with the replies, the most turns, and the brief. */
const scriptedDrafts = [
  [
    "night-train",
    5,
    "a night train from Hamburg to Lisbon, for people who would rather sleep than fly",
  ],
  ["headphones", 3, "repair workshops for headphones, in three cities"],
  ["tool-library", 2, "a library card for tools: borrow a drill instead of buying one"],
] as const;

const introduction = `# A project to look around in

Made by \`signoff demo --studio\` with scripted replies and rule-based stand-ins; no model was asked. Throw it away whenever
you like. These commands made it:

`;
