// docs/cli.md from the commands themselves.
import { Command } from "commander";
import { createProgram } from "../../dist/src/cli/program.js";
import { describeCommands } from "../../dist/src/cli/shell/command-tree.js";

export function cliPage() {
  const never = () => {
    throw new Error("nothing is run while the manual is written");
  };
  const cli = { screen: {}, environment: {}, cwd: "", debug: never, globals: never };
  const program = createProgram(new Command("signoff"), cli);
  return [
    "# The command line",
    "",
    "Written by `npm run generate` from the commands themselves; `npm run generated` compares.",
    "",
    ...describeCommands(program).flatMap(section),
  ].join("\n");
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
