import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { env as surroundings } from "node:process";
import { commitAll, git, initGit, nameCommitter } from "./git-repository.ts";
import { runSignoff } from "./signoff-process.ts";

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
    if (from === undefined) initGit(this.root);
    else this.git("clone", "--quiet", from.origin.root, ".");
    nameCommitter(this.root, this.#user);
  }

  /** What a command sees when this person types it. */
  get environment(): {
    readonly PATH: string;
    readonly HOME: string;
    readonly SIGNOFF_USER: string;
  } {
    const { PATH = "" } = surroundings;
    return { PATH, HOME: join(this.root, "no-such-home"), SIGNOFF_USER: this.#user };
  }

  git(...args: string[]): string {
    return git(this.root, ...args);
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

  commit(message?: string): void {
    commitAll(this.root, message);
  }

  async run(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    folder = ".",
  ): Promise<Ran> {
    const env = { ...this.environment, ...environment };
    const ran = await runSignoff(args, { cwd: join(this.root, folder), env });
    return { code: ran.code, signal: ran.signal, out: ran.stdout, err: ran.stderr };
  }

  notes(...args: string[]): Promise<Ran> {
    return this.run(["notes", ...args]);
  }

  /** The same, typed in a folder below the root. */
  notesIn(folder: string, ...args: string[]): Promise<Ran> {
    return this.run(["notes", ...args], {}, folder);
  }

  // biome-ignore lint/suspicious/noExplicitAny: documents of a dozen commands, looked into by tests
  async json(...args: string[]): Promise<any> {
    const ran = await this.notes(...args, "--json");
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
