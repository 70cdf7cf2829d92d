import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./processes.mjs";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const run = "6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e";

/** Whether the outermost run of a job is over. */
const oneRun = {
  isOver: ({ outer }) =>
    outer.length > 0 && outer.every(({ state }) => /finished|cancelled/u.test(state)),
};

/**
 * The commands that the campaign disturbs. `prepare` fills a folder once; every round works on a copy. `width` is how many
 * calls a process may have in flight, so how many one kill may repeat. `files` is what must not differ in the end.
 */
export const jobs = [
  {
    name: "draft",
    ...oneRun,
    width: 2,
    prepare: () => undefined,
    args: () => [
      ...["draft", "eco-friendly water bottles", "--model", "mistral", "--candidates", "2"],
      ...["--reviewer", "brand", "--reviewer", "legal", "--max-turns", "3", "--run-id", run],
    ],
    files: (folder) => treeOf(join(folder, ".signoff/runs")),
  },
  {
    name: "episode",
    ...oneRun,
    width: 1,
    async prepare(folder) {
      const talk = "00:00:00 Ann: Bread needs two days.\n\n00:00:09 Bob: The dough rests.\n";
      writeFileSync(join(folder, "talk.txt"), talk);
      const at = ["--workspace", "bread"];
      for (const args of [
        ["init", "--episode-id", "bread", ...at],
        ["add", "--transcript", "talk.txt", "--host", "Ann", ...at],
        ["chunk", ...at],
      ])
        await prepared(folder, ["episode", ...args]);
    },
    args: () => [
      ...["episode", "review", "--asset-id", "slug", "--model", "mistral"],
      ...["--max-iterations", "4", "--run-id", run, "--workspace", "bread"],
    ],
    files: (folder) => treeOf(join(folder, "bread"), (path) => !path.startsWith(".signoff")),
  },
  {
    name: "notes",
    ...oneRun,
    // The lock is written after the last run has ended; the same command writes it and asks nothing.
    isOver: () => false,
    width: 1,
    prepare: (folder) => {
      for (const name of ["returns", "prices", "salt"]) {
        const head = `---\ndescription: About ${name}\n---\n`;
        write(folder, `notes/${name}.md`, `${head}# ${name}\n\nThe ${name} are on the left.\n`);
      }
      for (const gate of ["plain", "short"])
        write(folder, `signoff/gates/prose/${gate}.md`, `---\ndescription: ${gate}\n---\nIs it?\n`);
      write(folder, "signoff.yaml", "version: 1\nmodels: { judge: mistral }\n");
      const git = (...args) => spawnSync("git", args, { cwd: folder });
      git("init", "--quiet");
      git("add", "--all");
      git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "Notes");
    },
    args: () => ["notes", "review", "--max-workers", "1"],
    files: (folder) => treeOf(folder, (path) => path === "signoff.lock"),
  },
  {
    name: "pack",
    ...oneRun,
    width: 1,
    asksAssistant: true,
    prepare: (folder) => shop(folder),
    args: (url) => [
      ...["pack", "run", "--manifest", "pack/pack.yaml", "--assistant-url", url],
      ...["--output-dir", "out", "--run-id", run, "--skip-question-review", "-q"],
    ],
    files: (folder) => timeless(treeOf(join(folder, "out"))),
  },
  {
    name: "stage",
    isOver: ({ loops }) => loops > 0,
    width: 1,
    asksAssistant: true,
    // A second command plays a second loop, so two at once are two.
    eachCommandCounts: true,
    prepare: (folder) => {
      cpSync(examples, join(folder, "examples"), { recursive: true });
      write(folder, "examples/scenario-pack/pack.yaml", smallPack);
    },
    args: (url) => [
      ...["stage", "run", "--manifest", "examples/stage/stage.yaml", "--assistant-url", url],
      ...["--skip-question-review", "-q"],
    ],
    files: () => ({}),
  },
];

const smallPack = `pack_id: shop_pack
domain: shop
bindings: { spring: "2024-03-31", summer: "2024-06-30" }
scenarios: [stock-to-supplier.yaml, selected-object.yaml]
`;

function shop(folder) {
  cpSync(join(examples, "scenario-pack"), join(folder, "pack"), { recursive: true });
  write(folder, "pack/pack.yaml", smallPack);
}

async function prepared(cwd, args) {
  const { code, err } = await runProgram(args, { cwd }).ended;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
}

function write(folder, path, text) {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function treeOf(folder, isMeant = () => true) {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => isMeant(path) && !path.startsWith(".git/"))
    .sort();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Without what differs between two runs of the same questions: times, sessions, and what a recovery adds. */
function timeless(files) {
  const left = Object.entries(files).filter(
    ([name]) => !/(?:assistant_response|run_manifest)\.json$/u.test(name),
  );
  const same = (text) =>
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "<time>")
      .replace(/shop-\d+/gu, "<session>")
      .replace(/trace-\d+/gu, "<trace>")
      .replace(/"[0-9a-f]{64}"/gu, '"<hash>"')
      .replace(/http:\/\/127\.0\.0\.1:\d+/gu, "<url>")
      .replace(/,\n *"recovered": true/gu, "")
      .replace(/,\n *"unobserved": \[[^\]]*\]/gu, "")
      // An answer that was found in its session after a kill was not timed.
      .replace(/,\n *"latency_ms": 0/gu, "");
  return Object.fromEntries(left.map(([name, text]) => [name, same(text)]));
}
