import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Guard } from "../../../domain/settings/acts.ts";
import type { Clock } from "../../../ports/clock.ts";

export interface ProcessOrder {
  readonly argv: readonly string[];
  /** Words that the program gets after those the user agreed to, such as the name of a file. */
  readonly more?: readonly string[];
  readonly input: string;
  readonly cwd: string;
  /** Asked before the program is started: the only place where a program of a project or a user starts. */
  readonly guard: Guard;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
  readonly signal: AbortSignal;
  readonly onOutput?: (part: string) => void;
  /** Talks with the program in place of `input`; the program is ended when the talk is over. */
  readonly talk?: (pipes: ProcessPipes) => Promise<void>;
  /** Awaited before the program gets its input; if it fails, the program is ended. */
  readonly onStart?: (pid: number) => Promise<void>;
}

export interface ProcessPipes {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
}

export interface ProcessLimits {
  readonly wallMs: number;
  /** Longest time without output; absent for programs that print only at their end. */
  readonly idleMs?: number;
  readonly outputBytes: number;
  /** How much of the end of stderr is kept; 4 kB by default. */
  readonly errorBytes?: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export type ProcessEnd =
  | { readonly kind: "not-started"; readonly reason: string }
  | ({ readonly kind: "exited"; readonly code: number | null; readonly by: string | null } & Output)
  | ({ readonly kind: "stopped"; readonly limit: "wall" | "idle" | "output" } & Output);

interface Output {
  readonly stdout: string;
  /** The end of it. */
  readonly stderr: string;
}

const errorTail = 4_096;

/**
 * Runs one program without a shell in its own process group, and resolves when the whole group is gone. Throws the
 * signal's reason after an abort. Process groups are POSIX: on Windows use WSL.
 */
export async function runProcess(order: ProcessOrder): Promise<ProcessEnd> {
  const { argv, cwd: folder } = order;
  order.signal.throwIfAborted();
  order.guard({ kind: "program", argv, folder });
  const child = await start(order);
  if (typeof child === "string") return { kind: "not-started", reason: child };
  const running = new RunningProcess(child, order);
  const end = await running.end();
  order.signal.throwIfAborted();
  return end;
}

async function start(order: ProcessOrder): Promise<ChildProcessWithoutNullStreams | string> {
  const [file = "", ...args] = order.argv;
  try {
    const child = spawn(file, [...args, ...(order.more ?? [])], {
      detached: true,
      env: { ...order.environment },
      cwd: order.cwd,
    });
    await once(child, "spawn");
    return child;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
  }
}

class RunningProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #order: ProcessOrder;
  readonly #over = new AbortController();
  readonly #stdout: Buffer[] = [];
  #bytes = 0;
  #stderr = Buffer.alloc(0);
  #lastOutputAt: number;
  #stoppedBy: "wall" | "idle" | "output" | "abort" | undefined;

  constructor(child: ChildProcessWithoutNullStreams, order: ProcessOrder) {
    this.#child = child;
    this.#order = order;
    this.#lastOutputAt = order.clock.monotonic();
  }

  async end(): Promise<ProcessEnd> {
    const child = this.#child;
    const exited = once(child, "exit") as Promise<[number | null, string | null]>;
    const closed = once(child, "close");
    this.#listen();
    this.#watch();
    const [code, by] = await exited;
    this.#over.abort();
    this.#kill("SIGKILL");
    await this.#drained(closed);
    const output = {
      stdout: Buffer.concat(this.#stdout).toString(),
      stderr: this.#stderr.toString(),
    };
    const limit = this.#stoppedBy;
    return limit === undefined || limit === "abort"
      ? { kind: "exited", code, by, ...output }
      : { kind: "stopped", limit, ...output };
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    const decoder = new StringDecoder("utf8");
    const { talk } = this.#order;
    const heard = talk && new PassThrough();
    stdout.on("data", (part: Buffer) => {
      this.#lastOutputAt = this.#order.clock.monotonic();
      this.#bytes += part.length;
      if (this.#bytes > this.#order.limits.outputBytes) return this.#stop("output");
      this.#stdout.push(part);
      heard?.write(part);
      this.#order.onOutput?.(decoder.write(part));
    });
    stderr.on("data", (part: Buffer) => {
      this.#lastOutputAt = this.#order.clock.monotonic();
      this.#stderr = Buffer.concat([this.#stderr, part]).subarray(
        -(this.#order.limits.errorBytes ?? errorTail),
      );
    });
    // A program may answer without reading all of its input.
    stdin.on("error", () => undefined);
    if (talk !== undefined && heard !== undefined) {
      stdout.once("end", () => heard.end());
      const output = Readable.toWeb(heard) as ReadableStream<Uint8Array>;
      void talk({ input: Writable.toWeb(stdin), output }).finally(() => this.#stop("abort"));
      return;
    }
    const { onStart, input } = this.#order;
    const { pid } = this.#child;
    if (onStart === undefined || pid === undefined) stdin.end(input);
    else
      onStart(pid).then(
        () => stdin.end(input),
        () => this.#stop("abort"),
      );
  }

  #watch(): void {
    const { signal, limits } = this.#order;
    const over = this.#over.signal;
    signal.addEventListener("abort", () => this.#stop("abort"), { once: true, signal: over });
    if (signal.aborted) this.#stop("abort");
    void this.#sleep(limits.wallMs).then((slept) => slept && this.#stop("wall"));
    if (limits.idleMs !== undefined) void this.#watchSilence(limits.idleMs);
  }

  async #watchSilence(idleMs: number): Promise<void> {
    for (let left = idleMs; left > 0; ) {
      if (!(await this.#sleep(left))) return;
      left = this.#lastOutputAt + idleMs - this.#order.clock.monotonic();
    }
    this.#stop("idle");
  }

  #stop(by: "wall" | "idle" | "output" | "abort"): void {
    if (this.#stoppedBy !== undefined) return;
    this.#stoppedBy = by;
    this.#kill("SIGTERM");
    void this.#sleep(this.#order.limits.graceMs).then((slept) => slept && this.#kill("SIGKILL"));
  }

  /** A group id is not reused while a member lives, so this never hits an unrelated process. */
  #kill(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  /** A descendant that left the group may keep the pipe open forever; it is not awaited. */
  async #drained(closed: Promise<unknown>): Promise<void> {
    const done = new AbortController();
    const { clock, limits } = this.#order;
    const waited = clock.sleep(limits.graceMs, done.signal).catch(() => undefined);
    await Promise.race([closed, waited]);
    done.abort();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  /** False when the process ended first. */
  async #sleep(millis: number): Promise<boolean> {
    try {
      await this.#order.clock.sleep(millis, this.#over.signal);
      return !this.#over.signal.aborted;
    } catch {
      return false;
    }
  }
}
