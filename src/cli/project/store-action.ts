import { readRuns } from "../../wiring/project/run-source.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type JsonFlags, printResult, rootOf } from "../shell/print.ts";

const nothing = { bytes: 0, freeBytes: 0, runs: 0, calls: 0, events: 0, texts: 0 };

export async function showSize(cli: CliContext, flags: JsonFlags): Promise<void> {
  const size = await readRuns(rootOf(cli), clockOf(cli.environment), async (source) =>
    source === undefined ? nothing : source.store.read(({ storage }) => storage.size()),
  );
  const { bytes, freeBytes, runs, calls, events, texts } = size;
  const free = freeBytes === 0 ? "" : ` (${kilobytes(freeBytes)} free for new rows)`;
  const counts = [
    renderCount(runs, "run"),
    renderCount(calls, "call"),
    renderCount(events, "event"),
    renderCount(texts, "text"),
  ];
  const json = { bytes, free_bytes: freeBytes, runs, calls, events, texts };
  printResult(cli, flags, json, `${kilobytes(bytes)}${free}: ${counts.join(", ")}.`);
}

function kilobytes(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
