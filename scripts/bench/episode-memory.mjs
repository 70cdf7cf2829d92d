// An episode of half an hour, two hours and eight hours with the stand-ins, step by step: seconds, the most memory that the
// process held, and the longest time without a line on the screen.
// Run `node scripts/build-cli.mjs` first, then `npx node scripts/bench/episode-memory.mjs [hours …]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { heldMemory, watchMemory } from "./watch-memory.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const program = at("../../dist/bin/signoff.js");
const hours = process.argv.slice(2).map(Number);

/** The example's talk, said again and again with other numbers, at 180 words a minute. */
const lines = readFileSync(at("../../examples/episode/transcript.txt"), "utf8")
  .split(/\n+/u)
  .map((line) => line.replace(/^\S*\d\d:\d\d\S*\s*/u, "").trim())
  .filter((line) => line !== "");

const figures = [];
for (const length of hours.length > 0 ? hours : [0.5, 2, 8]) figures.push(await measure(length));
console.log(JSON.stringify(figures, undefined, 2));
const most = ({ steps }) => Math.max(...steps.map(({ megabytes }) => megabytes));
process.exitCode = most(figures.at(-1)) <= 1.3 * most(figures[0]) ? 0 : 1;

async function measure(length) {
  const folder = mkdtempSync(join(tmpdir(), "signoff-episode-"));
  const talk = talkOf(length * 60 * 180);
  writeFileSync(join(folder, "talk.txt"), talk);
  const steps = [];
  const commands = [
    "init --episode-id long --workspace long",
    "add --workspace long --transcript talk.txt",
    "chunk --workspace long",
    "summarize --workspace long",
    "draft --workspace long",
    "review --workspace long --all",
  ];
  for (const command of commands) steps.push(await timed(command, folder));
  const chunks = Number(/Chunks: (\d+)/u.exec(steps[2].said)?.[1]);
  rmSync(folder, { recursive: true, force: true });
  const words = talk.split(/\s+/u).length;
  return { hours: length, words, chunks, steps: steps.map(({ said: _, ...step }) => step) };
}

function talkOf(words) {
  const said = [];
  for (let count = 0, turn = 0; count < words; turn += 1) {
    const minute = Math.floor(count / 180);
    const clock = [Math.floor(minute / 60), minute % 60, 0].map((one) =>
      String(one).padStart(2, "0"),
    );
    const round = Math.floor(turn / lines.length);
    const line = `${lines[turn % lines.length]} That was part ${turn} of round ${round}.`;
    said.push(`${clock.join(":")} ${line}`);
    count += line.split(/\s+/u).length;
  }
  return `${said.join("\n\n")}\n`;
}

async function timed(command, cwd) {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...watchMemory, program, "episode", ...command.split(" ")],
    {
      ...{ cwd, env: { HOME: cwd, PATH: process.env.PATH }, stdio: ["ignore", "pipe", "pipe"] },
    },
  );
  let [said, last, silent] = ["", began, 0];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      said += part;
      silent = Math.max(silent, performance.now() - last);
      last = performance.now();
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0 && !command.startsWith("review")) throw new Error(said);
  const rounded = (millis) => Number((millis / 1_000).toFixed(1));
  return {
    step: command.split(" ")[0],
    seconds: rounded(performance.now() - began),
    silentSeconds: rounded(silent),
    megabytes: heldMemory(said),
    said,
  };
}
