import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runInProcess } from "../../support/in-process.ts";
import type { EndedProcess } from "../../support/signoff-process.ts";

export const secret = "sk-secret-0123456789abcdefghij";
/** What a forged line would begin with. */
export const forged = "FORGED";

/** A foreign project, and everything around it that an attack would touch. */
export interface Bait {
  readonly project: string;
  readonly outside: string;
  /** A server that must never see the secret. */
  readonly thief: string;
  readonly program: string;
  readonly env: { readonly [name: string]: string };
  write(path: string, text: string): void;
  git(...args: readonly string[]): void;
  run(...args: readonly string[]): Promise<EndedProcess>;
  /** What succeeded; empty if nothing did. */
  damage(): readonly string[];
}

export interface Lair {
  open(): Bait;
  close(): Promise<void>;
}

/** Prepares the project once; every attack gets a copy. */
export async function openLair(): Promise<Lair> {
  const base = mkdtempSync(join(tmpdir(), "signoff-lair-"));
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    let text = JSON.stringify(request.headers) + request.url;
    for await (const part of request) text += String(part);
    seen.push(text);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ models: [], data: [], choices: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const thief = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const template = join(base, "template");
  makeTemplate(template);
  let number = 0;
  return {
    open() {
      number += 1;
      seen.length = 0;
      return openBait(join(base, String(number)), { template, thief, seen });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function makeTemplate(project: string): void {
  const write = writerIn(project);
  write("signoff.yaml", "version: 1\n");
  write(
    "notes/prices.md",
    "---\ndescription: Prices\n---\n# Prices\n\nThe prices are on the left.\n",
  );
  write("signoff/gates/prose/plain.md", "---\ndescription: plain\n---\nIs it plain?\n");
  gitIn(project)("init", "-q");
  gitIn(project)("add", "-A");
  gitIn(project)("commit", "-qm", "Notes");
}

function openBait(
  place: string,
  about: { readonly template: string; readonly thief: string; readonly seen: readonly string[] },
): Bait {
  const [project, outside, programs, home] = ["project", "outside", "bin", "home"].map((name) =>
    join(place, name),
  ) as [string, string, string, string];
  for (const folder of [outside, programs, home]) mkdirSync(folder, { recursive: true });
  cpSync(about.template, project, { recursive: true });
  const mark = join(place, "started");
  for (const name of ["evil", "claude", "codex"]) {
    writeFileSync(
      join(programs, name),
      `#!/bin/sh\n: > ${mark}\ncat > /dev/null\necho '{"result":"Hydrate"}'\n`,
    );
    chmodSync(join(programs, name), 0o755);
  }
  const env = {
    PATH: `${programs}:/usr/bin:/bin`,
    ...{ HOME: home, SIGNOFF_USER: "ada", SHOP_TOKEN: secret, LAB_KEY: secret },
    ...{ OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret },
  };
  return {
    ...{ project, outside, env, thief: about.thief, program: join(programs, "evil") },
    write: writerIn(project),
    git: gitIn(project),
    run: (...args) => runInProcess(args, { cwd: project, env }),
    damage: () => [
      ...(existsSync(mark) ? ["a program was started"] : []),
      ...(about.seen.some((text) => text.includes(secret)) ? ["the secret was sent"] : []),
      ...readdirSync(outside).map((name) => `a file outside: ${name}`),
    ],
  };
}

function writerIn(folder: string): Bait["write"] {
  return (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
}

function gitIn(cwd: string): Bait["git"] {
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return (...args) => void execFileSync("git", [...author, ...args], { cwd });
}

/** Lines that begin with the forged word; the text of a reply is indented below its label. */
export function forgedLines(text: string): readonly string[] {
  return text.split(/[\n\r\u2028\u2029\u0085]/u).filter((line) => line.startsWith(forged));
}

export function textsBelow(folder: string): string {
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.(?:md|json|jsonl|xml|sarif|txt|html|lock|log)$/u.test(entry.name),
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}
