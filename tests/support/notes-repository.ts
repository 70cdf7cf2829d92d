import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { env as surroundings } from "node:process";

const cli = resolve("dist/bin/signoff.js");

export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** A small knowledge base in a real git repository, and the real program to work on it. */
export class NotesRepository {
  readonly root: string;

  readonly #user: string;

  constructor(from?: { readonly origin: NotesRepository; readonly user: string }) {
    this.root = mkdtempSync(join(tmpdir(), "signoff-notes-"));
    this.#user = from?.user ?? "ada";
    if (from === undefined) this.git("init", "--quiet", "--initial-branch=main");
    else this.git("clone", "--quiet", from.origin.root, ".");
    this.git("config", "user.name", this.#user);
    this.git("config", "user.email", `${this.#user}@example.org`);
  }

  git(...args: string[]): string {
    const ran = spawnSync("git", args, { cwd: this.root, encoding: "utf8" });
    if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  note(name: string, body: string, frontMatter = "status: current"): void {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const head = `description: What everybody in the shop has to know about it\n${frontMatter}`;
    this.write(`notes/${name}.md`, `---\n${head}\n---\n# ${title}\n\n${body}\n`);
  }

  gate(id: string, body: string, frontMatter = "description: A check"): void {
    this.write(`signoff/gates/${id}.md`, `---\n${frontMatter}\n---\n${body}\n`);
  }

  /** A gate that a stand-in can judge: it warns for a phrase. */
  phraseGate(id: string, phrase = "needless to say"): void {
    const check = `\`\`\`yaml\n- words: [${phrase}]\n\`\`\``;
    this.gate(id, `Warn for empty phrases.\n\n## Offline check\n\n${check}`);
  }

  commit(message = "Write it down"): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", message);
  }

  run(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    folder = ".",
  ): Ran {
    const { PATH } = surroundings;
    const home = join(this.root, "nobody-lives-here");
    const env = { PATH, HOME: home, SIGNOFF_USER: this.#user, ...environment };
    const ran = spawnSync(process.execPath, [cli, ...args], {
      cwd: join(this.root, folder),
      encoding: "utf8",
      env,
    });
    return { code: ran.status, signal: ran.signal, out: ran.stdout, err: ran.stderr };
  }

  notes(...args: string[]): Ran {
    return this.run(["notes", ...args]);
  }

  /** The same, typed in a folder below the root. */
  notesIn(folder: string, ...args: string[]): Ran {
    return this.run(["notes", ...args], {}, folder);
  }

  // biome-ignore lint/suspicious/noExplicitAny: documents of a dozen commands, looked into by tests
  json(...args: string[]): any {
    const ran = this.notes(...args, "--json");
    try {
      return JSON.parse(ran.out);
    } catch (cause) {
      throw new Error(`no JSON from ${args.join(" ")}: ${ran.out}${ran.err}`, { cause });
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
