import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Attack, after, draft, pack, reply, settings, stage, stageRun } from "./attack.ts";

export const startPrograms: readonly Attack[] = [
  {
    by: "settings",
    tries: "a command as the writer",
    act: after((b) => settings(b, "models: { writer: command/claude }\n"), draft, [
      ...draft,
      "--new",
    ]),
  },
  {
    by: "settings",
    tries: "a command as the reviewer",
    act: after((b) => settings(b, "models: { reviewer: command/codex }\n"), draft),
  },
  {
    by: "settings",
    tries: "a command of its own",
    act: after(
      (b) =>
        settings(
          b,
          `commands: { helper: { argv: [${b.program}] } }\nmodels: { writer: command/helper }\n`,
        ),
      draft,
    ),
  },
  {
    by: "settings",
    tries: "another program under a known name",
    act: after((b) => settings(b, `commands: { claude: { argv: [${b.program}] } }\n`), draft, [
      "models",
    ]),
  },
  {
    by: "settings",
    tries: "a command as the judge",
    act: after(
      (b) => settings(b, "models: { judge: command/claude }\n"),
      ["notes", "review", "--yes"],
    ),
  },
  {
    by: "settings",
    tries: "a command as an alias",
    act: after(
      (b) => settings(b, "models: { aliases: { fast: command/claude }, writer: fast }\n"),
      draft,
    ),
  },
  {
    by: "settings",
    tries: "a command in a panel",
    act: after(
      (b) =>
        settings(
          b,
          "notes: { panels: { legal: { members: [{ name: a, model: command/claude }, { name: b, model: offline/rules }] } } }\n",
        ),
      ["notes", "review", "--panel", "legal", "--yes"],
    ),
  },
  {
    by: "settings",
    tries: "a command as an analyst",
    act: after(
      (b) => {
        settings(b, "models: { analyst: command/claude }\n");
        b.write("pack.yaml", pack());
      },
      ["pack", "loop", "--manifest", "pack.yaml", "--skip-question-review", "-q"],
    ),
  },
  {
    by: "settings",
    tries: "a command in .env",
    act: after(
      (b) =>
        b.write(".env", "SIGNOFF_MODEL=command/claude\nSIGNOFF_MODELS_WRITER=command/claude\n"),
      draft,
    ),
  },
  {
    by: "settings",
    tries: "trust in .env",
    act: after((b) => {
      settings(b, "models: { writer: command/claude }\n");
      b.write(".env", "SIGNOFF_TRUST=1\nSIGNOFF_CONFIG_HOME=.\nXDG_CONFIG_HOME=.\n");
    }, draft),
  },
  {
    by: "settings",
    tries: "a list of trusted projects inside the project",
    act: after((b) => {
      settings(b, "models: { writer: command/claude }\n");
      b.write(
        "home/.config/signoff/trust.json",
        JSON.stringify({
          version: 1,
          projects: { [b.project]: { digest: "x", trusted_at: "2026" } },
        }),
      );
      b.write(".signoff/trust.json", "{}");
    }, draft),
  },
  {
    by: "git",
    tries: "a watcher",
    act: after((b) => b.git("config", "core.fsmonitor", b.program), ["notes", "status"]),
  },
  {
    by: "git",
    tries: "a filter",
    act: after(
      (b) => {
        b.git("config", "filter.x.clean", b.program);
        b.git("config", "filter.x.smudge", b.program);
        b.write(".gitattributes", "*.md filter=x\n");
        b.write("notes/prices.md", "# Prices\n\nOther words.\n");
      },
      ["notes", "status"],
      ["notes", "status", "--diff"],
    ),
  },
  {
    by: "git",
    tries: "a filter whose name holds an equals sign",
    act: after(
      (b) => {
        b.git("config", "--file", ".git/config", "filter.a=b.clean", b.program);
        b.write(".gitattributes", "*.md filter=a=b\n");
        b.write("notes/prices.md", "# Prices\n\nOther words.\n");
      },
      ["notes", "status"],
      ["notes", "check"],
    ),
  },
  {
    by: "git",
    tries: "a server that is a program, for a text that is missing",
    act: after(
      (b) => {
        b.git("config", "extensions.partialClone", "origin");
        b.git("config", "core.repositoryFormatVersion", "1");
        b.git("config", "remote.origin.promisor", "true");
        b.git("config", "remote.origin.url", b.project);
        b.git("config", "remote.origin.uploadpack", b.program);
        for (const folder of readdirSync(join(b.project, ".git/objects")))
          if (/^[0-9a-f]{2}$/u.test(folder))
            rmSync(join(b.project, ".git/objects", folder), { recursive: true });
      },
      ["notes", "check", "--changed-since", "HEAD"],
      ["notes", "status"],
    ),
  },
  {
    by: "git",
    tries: "a diff program",
    act: after(
      (b) => {
        b.git("config", "diff.external", b.program);
        b.git("config", "diff.x.textconv", b.program);
        b.write(".gitattributes", "*.md diff=x\n");
        b.write("notes/prices.md", "# Prices\n\nOther.\n");
      },
      ["notes", "status", "--diff"],
      ["notes", "check"],
    ),
  },
  {
    by: "git",
    tries: "hooks",
    act: after(
      (b) => {
        b.git("config", "core.hooksPath", "hooks");
        for (const name of ["post-index-change", "pre-commit", "reference-transaction"])
          b.write(`hooks/${name}`, `#!/bin/sh\n${b.program} </dev/null\n`);
      },
      ["notes", "mv", "notes/prices.md", "notes/costs.md"],
      ["notes", "status"],
    ),
  },
  {
    by: "manifest",
    tries: "a coder",
    act: after((b) => {
      b.write("stage.yaml", stage(`repair_mode: auto-coder\ncoder: [${b.program}]\n`));
      b.write("pack.yaml", pack());
    }, stageRun),
  },
  {
    by: "manifest",
    tries: "an analyst's command",
    act: after((b) => {
      b.write("stage.yaml", stage(`analyst: [${b.program}]\n`));
      b.write("pack.yaml", pack());
    }, stageRun),
  },
  {
    by: "manifest",
    tries: "a command model as analyst",
    act: after((b) => {
      b.write("stage.yaml", stage("analyst: command/claude\n"));
      b.write("pack.yaml", pack());
    }, stageRun),
  },
  {
    by: "recipe",
    tries: "a command in its front matter",
    act: after(
      (b) =>
        b.write(
          "signoff/recipes/slogan.md",
          "---\nname: slogan\nmodel: command/claude\nwriter: { model: command/claude }\n---\n## Writer\nWrite.\n## Reviewer\nReview.\n",
        ),
      [...draft, "--recipe", "slogan"],
    ),
  },
  {
    by: "note",
    tries: "a shell in its name",
    act: after(
      (b) => b.write("notes/$(evil).md", "# Name\n\nText.\n"),
      ["notes", "status"],
      ["notes", "review", "--yes"],
    ),
  },
  {
    by: "note",
    tries: "an option of git as its name",
    act: after(
      (b) => b.write("notes/--upload-pack=evil.md", "# Name\n\nText.\n"),
      ["notes", "status"],
      ["notes", "mv", "notes/--upload-pack=evil.md", "notes/x.md"],
    ),
  },
  {
    by: "reply",
    tries: "a tool call",
    act: reply('{"tool":"shell","command":"evil"}\n```sh\nevil\n```'),
  },
  {
    by: "reply",
    tries: "a shell in an answer",
    act: reply("$(evil) `evil` ; evil | evil", "$(evil)"),
  },
];
