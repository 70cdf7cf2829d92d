import type { Run } from "../../api/queries.ts";

const columns: readonly (readonly [name: string, of: (run: Run) => string | number])[] = [
  ["run_id", (run) => run.run_id],
  ["kind", (run) => run.kind],
  ["state", (run) => run.state],
  ["outcome", (run) => run.outcome ?? ""],
  ["title", (run) => run.title],
  ["created_at", (run) => run.created_at],
  ["tokens", (run) => run.spent.tokens ?? ""],
  ["uncounted", (run) => run.spent.uncounted],
  ["micro_usd", (run) => run.spent.micro_usd ?? ""],
  ["unpriced", (run) => run.spent.unpriced],
  ["seconds", (run) => run.spent.seconds],
];

export function runsToCsv(runs: readonly Run[]): string {
  const lines = [
    columns.map(([name]) => name),
    ...runs.map((run) => columns.map(([, of]) => field(of(run)))),
  ];
  return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/** A text that a spreadsheet would take for a formula is made plain text by a leading quote. */
function field(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
