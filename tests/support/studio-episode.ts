import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { commitAll, initGit } from "./git-repository.ts";
import { runSignoff } from "./signoff-process.ts";

const example = resolve("examples/episode");

/** The folder of the episode in its project. */
export const workspace = join("episodes", "long_shelf");

/** A command in the project, as a person types it. */
export async function signoffIn(root: string, ...args: readonly string[]): Promise<string> {
  const env = { SIGNOFF_USER: "Ada Bell" };
  const { code, stdout, stderr } = await runSignoff(args, { cwd: root, env });
  if (code !== 0 && code !== 1) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The podcast about a library of things: a signed slug, a description with rivals, a post that needs a person. */
export async function makeEpisode(root: string): Promise<void> {
  mkdirSync(join(root, ".signoff"), { recursive: true });
  const episode = (...args: readonly string[]): Promise<string> =>
    signoffIn(root, "episode", ...args, "--workspace", workspace);
  await signoffIn(root, "episode", "init", "--episode-id", "long_shelf", "--workspace", workspace);
  const inputs = ["--transcript", join(example, "transcript.txt")];
  await episode(
    "add",
    ...inputs,
    "--chapters",
    join(example, "chapters.txt"),
    "--host",
    "Mira Olsen",
  );
  await episode("chunk");
  await episode("summarize");
  await episode("review", "--asset-id", "slug");
  await episode("review", "--asset-id", "description");
  await episode("review", "--asset-id", "linkedin", "--max-iterations", "1");
}

/** Adds a person's own text to the candidates of an asset and leaves everything else unchanged. */
export function addCandidate(root: string, assetId: string, content: string): string {
  const folder = join(root, workspace, "copy", "candidates", assetId);
  const [first = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const candidate = JSON.parse(readFileSync(join(folder, first), "utf8"));
  const id = "00000000-0000-4000-8000-00000000abcd";
  const made = { ...candidate, candidate_id: id, content, created_at: "2130-01-01T00:00:00Z" };
  writeFileSync(join(folder, `candidate_${id}.json`), JSON.stringify(made));
  return id;
}

/** The bakery's notes under git, each reviewed; then three of them are changed. */
export async function makeNotes(root: string): Promise<void> {
  const source = resolve("examples/notes-with-gates");
  for (const part of ["notes", "signoff", "signoff.yaml"]) {
    cpSync(join(source, part), join(root, part), { recursive: true });
  }
  mkdirSync(join(root, ".signoff"), { recursive: true });
  initGit(root);
  commitAll(root);
  await signoffIn(root, "notes", "review", "--quiet");
  for (const name of ["allergens", "cake-orders", "cash-closing"]) {
    const path = join(root, "notes", `${name}.md`);
    writeFileSync(path, `${readFileSync(path, "utf8")}\nBread is sold out by nine.\n`);
  }
}
