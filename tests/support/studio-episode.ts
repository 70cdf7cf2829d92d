import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { env as surroundings } from "node:process";

const program = resolve("dist/bin/signoff.js");
const example = resolve("examples/episode");

/** The folder of the episode in its project. */
export const workspace = join("episodes", "long_shelf");

/** A command in the project, as a person types it. */
export function signoffIn(root: string, ...args: readonly string[]): string {
  const { PATH } = surroundings;
  const ran = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    env: { PATH, HOME: join(root, "nobody-lives-here"), SIGNOFF_USER: "Ada Bell" },
    encoding: "utf8",
  });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}

/** The podcast about a library of things: a signed slug, a description with rivals, a post that needs a person. */
export function makeEpisode(root: string): void {
  mkdirSync(join(root, ".signoff"), { recursive: true });
  const episode = (...args: readonly string[]): void =>
    void signoffIn(root, "episode", ...args, "--workspace", workspace);
  signoffIn(root, "episode", "init", "--episode-id", "long_shelf", "--workspace", workspace);
  const inputs = ["--transcript", join(example, "transcript.txt")];
  episode("add", ...inputs, "--chapters", join(example, "chapters.txt"), "--host", "Mira Olsen");
  episode("chunk");
  episode("summarize");
  episode("review", "--asset-id", "slug");
  episode("review", "--asset-id", "description");
  episode("review", "--asset-id", "linkedin", "--max-iterations", "1");
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
export function makeNotes(root: string): void {
  const source = resolve("examples/notes-with-gates");
  for (const part of ["notes", "signoff", "signoff.yaml"]) {
    cpSync(join(source, part), join(root, part), { recursive: true });
  }
  mkdirSync(join(root, ".signoff"), { recursive: true });
  const git = (...args: readonly string[]): void => {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const ran = spawnSync("git", [...who, ...args], { cwd: root });
    if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
  };
  git("init", "--quiet");
  git("add", "notes", "signoff", "signoff.yaml");
  git("commit", "--quiet", "--message", "Write it down");
  signoffIn(root, "notes", "review", "--quiet");
  for (const name of ["allergens", "cake-orders", "cash-closing"]) {
    const path = join(root, "notes", `${name}.md`);
    writeFileSync(path, `${readFileSync(path, "utf8")}\nBread is sold out by nine.\n`);
  }
}
