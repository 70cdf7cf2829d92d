// npm run cluster-campaign -- PART [--option value …] [--keep NAME]
//
// Measures what many workers on one PostgreSQL must hold, each part with processes, servers and a database of its own:
//   killing     workers and PostgreSQL are killed, nothing is lost or asked twice
//   takeover    how soon the runs of a killed, frozen or unplugged worker go on elsewhere
//   throughput  1, 2 and 4 workers; time per recorded call beside bare commits; processor time beside one machine's
//   waiting     thousands of runs that wait for a person
//   limits      requests a second and refusals, over four workers
//   outages     the database is away, wrong, full, forbidden or pooled
// Options and their defaults are at the top of parts/PART.mjs. --keep writes the figures to docs/figures.json
// under that name.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";

const names = ["killing", "takeover", "throughput", "waiting", "limits", "outages"];
const [name = "", ...words] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`npm run cluster-campaign -- PART, with PART one of ${names.join(", ")}`);
  process.exit(2);
}
const { run, options } = await import(`./parts/${name}.mjs`);
const { values } = parseArgs({
  args: words,
  options: {
    keep: { type: "string" },
    ...Object.fromEntries(
      Object.entries(options).map(([option, value]) => [
        option,
        { type: "string", default: value },
      ]),
    ),
  },
});
const { keep, ...texts } = values;
const given = Object.fromEntries(
  Object.entries(texts).map(([option, text]) => [option, Number(text)]),
);
const shown = words.join(" ").replace(/ ?--keep \S+/u, "");
const command = `npm run cluster-campaign -- ${name} ${shown}`.trim();
const { rows, measured, problems } = await run(given);
const load = loadavg()
  .map((value) => value.toFixed(1))
  .join(" ");
console.log(`${command} (${cpus().length} processors, load ${load})`);
for (const [row, value] of Object.entries(rows)) console.log(`  ${row.padEnd(64)} ${value}`);
for (const problem of problems) console.error(`WRONG: ${problem}`);
if (keep !== undefined && problems.length === 0) keepFigures();
process.exitCode = problems.length === 0 ? 0 : 1;

function keepFigures() {
  const file = new URL("../../docs/figures.json", import.meta.url);
  const figures = JSON.parse(readFileSync(file, "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  const part = { date, node: process.version, cpus: cpus().length, load, command, rows };
  figures.cluster = { ...figures.cluster, [keep]: { ...part, ...(measured && { measured }) } };
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
}
