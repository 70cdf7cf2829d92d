import type { Repos } from "../../../src/testing/index.ts";
import { type AttemptRow, by, copy, familyOf, type Tables } from "./tables.ts";

type Totals = Awaited<ReturnType<Repos["ledger"]["totals"]>>[number];

export function ledgersIn(tables: Tables): Pick<Repos, "ledger" | "stats" | "storage"> {
  const since = (at: string) => tables.runs.filter(({ record }) => record.job.createdAt >= at);
  const runOf = (run: string) => tables.runs.find(({ record }) => record.run === run)?.record;
  const createdAt = (line: AttemptRow) => runOf(line.run)?.job.createdAt ?? "";
  const kindOf = (line: AttemptRow) => runOf(line.run)?.job.kind ?? "";
  const day = (at: string) => at.slice(0, 10);
  return {
    ledger: {
      lines: async (run, { limit, after }) => {
        const family = familyOf(tables, run);
        const order = by<Pick<AttemptRow, "run" | "key" | "attempt">>(
          ...[(one: { readonly run: string }) => one.run],
          ({ key }) => key,
          ({ attempt }) => attempt,
        );
        return tables.attempts
          .filter((one) => family.has(one.run) && (after === undefined || order(one, after) > 0))
          .sort(order)
          .slice(0, limit)
          .map(({ held: _, ...line }) => copy(line));
      },
      totals: async (run) => {
        const family = familyOf(tables, run);
        const lines = tables.attempts.filter((one) => family.has(one.run));
        return groups(lines, ({ model, role }) => [model, role ?? ""]).map(totalsOf);
      },
    },
    stats: {
      runs: async (at = "" as never) =>
        groups(since(at), ({ record }) => [record.job.kind, record.state]).map((rows) => ({
          kind: rows[0].record.job.kind,
          state: rows[0].record.state,
          runs: rows.length,
        })),
      runsIn: async (states) =>
        tables.runs.filter(({ record }) => states.includes(record.state)).length,
      runsByDay: async (at) =>
        groups(since(at), ({ record }) => [day(record.job.createdAt)]).map((rows) => ({
          day: day(rows[0].record.job.createdAt),
          runs: rows.length,
        })),
      costsByDay: async (at) =>
        groups(
          tables.attempts.filter((line) => createdAt(line) >= at),
          (line) => [day(createdAt(line)), line.model],
        ).map((lines) => {
          const { role: _, ...totals } = totalsOf(lines);
          return { day: day(createdAt(lines[0])), ...totals };
        }),
      costs: async (at) =>
        groups(
          tables.attempts.filter((line) => createdAt(line) >= at),
          (line) => [kindOf(line), line.model, line.role ?? ""],
        ).map((lines) => ({ kind: kindOf(lines[0]), ...totalsOf(lines) })),
    },
    storage: {
      size: async () => ({
        ...{ bytes: JSON.stringify(tables).length, freeBytes: 0 },
        ...{ runs: tables.runs.length, calls: tables.calls.length },
        ...{ events: tables.events.length, texts: 0 },
      }),
    },
  };
}

/** Rows that have the same names, in the order of the names. */
function groups<T>(rows: readonly T[], namesOf: (row: T) => readonly string[]): [T, ...T[]][] {
  const grouped = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const name = namesOf(row).join("\0");
    const group = grouped.get(name);
    if (group === undefined) grouped.set(name, [row]);
    else group.push(row);
  }
  return [...grouped].sort(by(([name]) => name)).map(([, group]) => group);
}

function totalsOf(lines: readonly [AttemptRow, ...AttemptRow[]]): Totals {
  const sum = (value: (line: AttemptRow) => number | boolean | undefined) =>
    lines.reduce((total, line) => total + Number(value(line) ?? 0), 0);
  const isSuspended = ({ error }: AttemptRow) =>
    (error as { readonly code?: string } | undefined)?.code === "suspended";
  const [{ role, model }] = lines;
  return {
    ...(role === undefined ? {} : { role }),
    model,
    attempts: lines.length,
    replied: sum(({ state }) => state === "replied"),
    failed: sum((line) => line.state === "failed" && !isSuspended(line)),
    lost: sum(({ state }) => state === "lost"),
    inputTokens: sum((line) => line.inputTokens),
    outputTokens: sum((line) => line.outputTokens),
    cachedInputTokens: sum((line) => line.cachedInputTokens),
    microUsd: sum((line) => line.microUsd),
    unpriced: sum(
      (line) => line.state !== "started" && line.microUsd === undefined && !isSuspended(line),
    ),
    uncounted: sum((line) => line.state === "replied" && line.inputTokens === undefined),
    seconds: sum((line) => line.seconds),
  };
}
