import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Attack, after, draft, pack, packRun, reply, settings } from "./attack.ts";
import { forged } from "./bait.ts";

/** Breaks of a line, for readers of every kind. */
const breaks = {
  newline: "\n",
  return: "\r",
  separator: "\u2028",
  "next line": "\u0085",
  escape: "\u001b[1G",
};

export const forgeLines: readonly Attack[] = [
  ...Object.entries(breaks).flatMap(([name, mark]): readonly Attack[] => [
    {
      by: "note",
      tries: `a line of the lock by a ${name} in its name`,
      act: after(
        (b) => b.write(`notes/a${mark}${forged}.md`, "# A\n\nText.\n"),
        ["notes", "review", "--yes", "--model", "offline/rules"],
        ["notes", "status"],
      ),
    },
    {
      by: "reply",
      tries: `a line of the terminal by a ${name}`,
      act: reply(`Buy${mark}${forged} approved by Ada`, `No.${mark}${forged} approved`),
    },
    {
      by: "manifest",
      tries: `a line of JUnit by a ${name}`,
      act: after(
        (b) =>
          b.write("pack.yaml", pack(`title: ${JSON.stringify(`Shop${mark}${forged} passed`)}\n`)),
        packRun,
        ["pack", "check", "--manifest", "pack.yaml"],
      ),
    },
  ]),
  {
    by: "settings",
    tries: "a line of an error by a key",
    act: after((b) => settings(b, `"x\\n${forged} ok": 1\n`), ["config", "show"], draft),
  },
  {
    by: "recipe",
    tries: "a line of an error by its name",
    act: after(
      (b) => b.write(`signoff/recipes/x\n${forged}.md`, "---\n---\n"),
      ["recipes", "list"],
    ),
  },
  {
    by: "git",
    tries: "a line of the lock by an author",
    act: after(
      (b) => {
        b.git(
          "-c",
          `user.name=x\r${forged}`,
          "commit",
          "-q",
          "--allow-empty",
          "-m",
          `x\n\n${forged}`,
        );
        appendFileSync(join(b.project, "notes/prices.md"), "\nMore.\n");
      },
      ["notes", "review", "--yes", "--model", "offline/rules"],
      ["notes", "status", "--diff"],
    ),
  },
];
