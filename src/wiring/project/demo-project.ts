import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../adapters/runners/command/run-process.ts";
import { shippedFolder } from "../../adapters/workspace/shipped-folder.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Environment } from "../settings/environment.ts";
import { clockOf } from "./system-clock.ts";

/** Written last: a folder that has it is complete. */
const storyFile = "DEMO.md";
const defectFile = "examples/stage/assistant-defects.txt";
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
  /** Of the shop's assistant; it reads its defects from `demoDefectFile(folder)`. */
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
  const typed: (readonly string[])[] = [];
  const type: Type = async (line, ...more) => {
    const words = [...line.split(" "), ...more];
    await runCommand(words, parts);
    typed.push(words);
    parts.onCommand(words);
  };
  await Promise.all([
    drafts(type),
    episodes(type),
    notes(type, parts.folder),
    packsAndStages(type, parts),
  ]);
  const lines = typed.map((words) => `    signoff ${words.map(shellWord).join(" ")}`);
  await writeFile(join(parts.folder, storyFile), `${introduction}${lines.join("\n")}\n`);
}

/** Types a command; words that have spaces in them follow the line. */
type Type = (line: string, ...more: readonly string[]) => Promise<void>;

/** Rejections and open questions are part of the demo; any other failure ends it. */
async function runCommand(words: readonly string[], parts: DemoProjectParts): Promise<void> {
  const { folder, program, environment, signal } = parts;
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
  if (end.kind === "exited" && end.code !== null && fineCodes.includes(end.code)) return;
  const said = end.kind === "not-started" ? end.reason : `${end.stdout}${end.stderr}`.trim();
  throw new WorkflowError(`\`signoff ${words.join(" ")}\` failed.\n${said}`, {
    code: "demo-failed",
    facts: { command: words },
    hint: "Remove the folder before you try again.",
  });
}

async function drafts(type: Type): Promise<void> {
  for (const [name, turns, brief] of scriptedDrafts) {
    await type(`draft --script ${name}.json --max-turns ${turns} --quiet`, brief);
  }
  const bottles = "eco-friendly water bottles for people who hike";
  await type("draft --model offline/rules --candidates 2 --quiet", bottles);
}

async function episodes(type: Type): Promise<void> {
  const at = "--workspace episodes/long_shelf_12";
  const from = "examples/episode";
  const offline = "--model offline/rules --quiet";
  const hosts = ["--host", "Mira Olsen", "--host", "Tomas Reyes"];
  await type("episode init --episode-id long_shelf_12");
  await type(
    `episode add ${at} --transcript ${from}/transcript.txt --chapters ${from}/chapters.txt`,
    ...hosts,
  );
  await type(`episode chunk ${at}`);
  await type(`episode summarize ${at} ${offline}`);
  await type(`episode draft ${at} ${offline}`);
  for (const asset of ["title_detail", "description", "slug"]) {
    await type(`episode review ${at} --asset-id ${asset} --max-iterations 4 ${offline}`);
  }
  await type(`episode review ${at} --asset-id shownotes --max-iterations 1 ${offline}`);
}

async function notes(type: Type, folder: string): Promise<void> {
  await type("notes review --model offline/rules --limit 300 --yes --quiet");
  const note = join(folder, "notes", "allergens.md");
  await appendFile(note, "\nSesame is kept in the cold room now.\n");
}

/** Pack runs that improve, a stage that needs a repair, and one that needs a person. */
async function packsAndStages(
  type: Type,
  { folder, assistantUrl }: DemoProjectParts,
): Promise<void> {
  const shopHas = (defects: string) => writeFile(demoDefectFile(folder), defects);
  const shop = `--assistant-url ${assistantUrl}`;
  for (const defects of ["garbage\ncarryover\n", "carryover\n", ""]) {
    await shopHas(defects);
    await type(`pack run --manifest examples/scenario-pack/pack.yaml ${shop}`);
  }
  await shopHas("garbage\n");
  await type(`stage run --manifest ${nightManifest} ${shop}`);
  await type(`stage continue --manifest ${nightManifest}`);
  await type(`stage run --manifest ${stageManifest} ${shop}`);
  await type(`stage prepare-repair --manifest ${stageManifest}`);
  const coder = "--coder node examples/stage/coders/fixes.mjs";
  await type(`stage run-repair --manifest ${stageManifest} ${coder}`);
  await type(`stage run --manifest ${stageManifest} ${shop}`);
}

/** Scripted drafts: the file with the replies, the most turns, and the brief. */
const scriptedDrafts = [
  ["night-train", 5, "a night train from Hamburg to Lisbon, for people who would rather sleep"],
  ["headphones", 3, "repair workshops for headphones, in three cities"],
  ["tool-library", 2, "a library card for tools: borrow a drill instead of buying one"],
] as const;

const introduction = `# A project to look around in

Made by \`signoff demo --studio\` with scripted replies and rule-based stand-ins; no model was asked. Throw it away whenever
you like. These commands made it:

`;
