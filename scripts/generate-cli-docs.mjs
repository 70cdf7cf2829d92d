// Writes docs/cli.md from the commands themselves; with --check it only compares. Needs `tsc -b` first.
import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { createProgram } from "../dist/src/cli/program.js";
import { describeCommands } from "../dist/src/cli/shell/command-tree.js";

const never = () => {
  throw new Error("nothing is run while the manual is written");
};
const cli = { screen: {}, environment: {}, cwd: "", debug: never, globals: never };
const program = createProgram(new Command("signoff"), cli);

const file = new URL("../docs/cli.md", import.meta.url);
const text = [
  "# The command line",
  "",
  "Written by `node scripts/generate-cli-docs.mjs` from the commands themselves; `--check` compares.",
  "",
  ...describeCommands(program).flatMap(section),
].join("\n");

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (read() !== text) {
  console.error("Out of date: docs/cli.md. Run: node scripts/generate-cli-docs.mjs");
  process.exit(1);
}

function section({ path, description, usage, arguments: args, options, examples }) {
  const name = ["signoff", ...path].join(" ");
  return [
    `${"#".repeat(Math.min(path.length, 2) + 1).replace(/^#$/, "##")} ${name}`,
    "",
    sentence(description),
    "",
    `\`${`${name} ${usage}`.trim()}\``,
    "",
    ...table(
      "argument",
      args.map((one) => [one.name, one.description]),
    ),
    ...table(
      "option",
      options.map((one) => [one.flags, one.description]),
    ),
    ...(examples === "" ? [] : ["```", examples, "```", ""]),
  ];
}

function table(head, rows) {
  if (rows.length === 0) return [];
  const lines = rows.map(([name, about]) => `| \`${cell(name)}\` | ${cell(about)} |`);
  return [`| ${head} | |`, "|---|---|", ...lines, ""];
}

function cell(text) {
  return text.replaceAll("|", "\\|");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function read() {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
