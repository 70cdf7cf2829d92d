// npm run bench [row …]: our figures beside the bound measured in the same run, kept in docs/figures.json
// and in the table of docs/performance.md.
// A row is a file in rows/ that exports one function, which measures and returns its figures.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename } from "node:path";
import { pathOf } from "./processes.mjs";
import { markdownTableOf, standing, tableOf } from "./table.mjs";

const rows = readdirSync(pathOf("./rows")).map((file) => basename(file, ".mjs"));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !rows.includes(name));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(", ")}. Rows: ${rows.join(", ")}.`);
  process.exit(2);
}
const measured = {};
for (const name of asked.length > 0 ? asked : rows) {
  console.error(`measuring ${name} …`);
  const [measure] = Object.values(await import(`./rows/${name}.mjs`));
  const figures = await measure();
  measured[name] = figures.map((figure) => ({ ...figure, ratio: figure.ours / figure.bound }));
}
const figures = Object.values(measured).flat();
console.log(tableOf(figures));
keepFigures(measured);
process.exitCode = figures.some((figure) => standing(figure) === "MISSED") ? 1 : 0;

/** Each row has its own date and command, so that some can be measured without the others. */
function keepFigures(fresh) {
  const path = pathOf("../../docs/figures.json");
  const kept = readFigures(path);
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpus: cpus().length,
    // A busy disk slows the bound more than us: a ratio of a loaded machine says little.
    load: Number(loadavg()[0].toFixed(1)),
  };
  const entries = Object.entries(fresh).map(([name, list]) => [
    name,
    { ...facts, command: `npm run bench -- ${name}`, figures: list.map(shortened) },
  ]);
  const all = { ...kept.bench, ...Object.fromEntries(entries) };
  const bench = Object.fromEntries(
    rows.filter((name) => name in all).map((name) => [name, all[name]]),
  );
  writeFileSync(path, `${JSON.stringify({ ...kept, bench }, undefined, 2)}\n`);
  writeTable(markdownTableOf(bench));
}

function writeTable(table) {
  const path = pathOf("../../docs/performance.md");
  const between = /(?<=<!-- figures[^>]*-->\n).*(?=<!-- end of figures -->)/s;
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(between, () => table),
  );
}

function readFigures(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

function shortened(figure) {
  const short = (value) => Number(value.toPrecision(4));
  const { ours, bound, ratio } = figure;
  return { ...figure, ours: short(ours), bound: short(bound), ratio: short(ratio) };
}
