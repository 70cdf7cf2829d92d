import { runProcess } from "../../adapters/runners/command/run-process.ts";
import type { Guard } from "../../domain/settings/acts.ts";
import type { Published } from "../../orchestration/scenarios/save-pack.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Environment } from "../settings/environment.ts";

const limits = { wallMs: 600_000, outputBytes: 1_000_000, graceMs: 5_000 };

/** The user's own command, with the file as its last argument and the pack on its stdin; never through a shell. */
export function publishWith(
  argv: readonly string[],
  at: {
    readonly cwd: string;
    readonly environment: Environment;
    readonly guard: Guard;
    readonly clock: Pick<Clock, "monotonic" | "sleep">;
  },
): (file: string, content: string) => Promise<Published> {
  const { cwd, clock, guard } = at;
  const environment = at.environment.everything();
  return async (file, content) => {
    const end = await runProcess({
      argv,
      more: [file],
      input: content,
      cwd,
      guard,
      environment,
      limits,
      clock,
      signal: new AbortController().signal,
    });
    if (end.kind === "exited" && end.code === 0) return { kind: "published" };
    const how =
      end.kind === "not-started"
        ? `it cannot be started (${end.reason})`
        : end.kind === "stopped"
          ? `it was stopped at its ${end.limit} limit`
          : `it ended with ${end.code ?? end.by}: ${end.stderr.trim()}`;
    return { kind: "failed", why: `${argv[0]}: ${how}` };
  };
}
