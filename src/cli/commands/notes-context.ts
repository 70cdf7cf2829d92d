import { relative, resolve, sep } from "node:path";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Scope } from "../../orchestration/gates/load-world.ts";
import { findProjectRoot, realPath } from "../../wiring/project-root.ts";
import type { CliContext } from "../cli-context.ts";

export interface ScopeFlags {
  readonly gate?: readonly string[];
  readonly note?: readonly string[];
  readonly changedSince?: string;
  readonly where?: readonly string[];
  readonly model?: readonly string[];
  readonly script?: string;
  readonly json?: boolean;
}

export function rootOf(cli: CliContext): string {
  return realPath(findProjectRoot(cli.cwd, cli.environment.home).path);
}

/** Paths as typed are relative to where the person stands; everything inside is relative to the root. */
export function scopeOf(
  cli: CliContext,
  root: string,
  { paths, flags }: { readonly paths: readonly string[]; readonly flags: ScopeFlags },
): Scope {
  return {
    paths: [...paths, ...(flags.note ?? [])].map((path) => pathInRoot(cli, root, path)),
    gates: flags.gate ?? [],
    ...(flags.changedSince === undefined ? {} : { changedSince: flags.changedSince }),
    where: (flags.where ?? []).map(readCondition),
  };
}

export function pathInRoot(cli: CliContext, root: string, path: string): string {
  const inside = relative(root, resolve(realPath(cli.cwd), path))
    .split(sep)
    .join("/");
  if (inside !== ".." && !inside.startsWith("../")) return inside === "" ? "." : inside;
  throw new ConfigurationError(`${path} is outside the project ${root}.`, {
    code: "path-outside",
    facts: { path, root },
  });
}

/** `--script F` is the model `script:F`. */
export function modelsOf(
  cli: CliContext,
  root: string,
  asked: { readonly flags: ScopeFlags; readonly settings: { readonly models: readonly string[] } },
): readonly string[] {
  const { script, model } = asked.flags;
  if (script !== undefined) return [`script:${pathInRoot(cli, root, script)}`];
  return model ?? asked.settings.models;
}

function readCondition(text: string): { readonly key: string; readonly value: string } {
  const equals = text.indexOf("=");
  if (equals > 0) return { key: text.slice(0, equals), value: text.slice(equals + 1) };
  throw new ConfigurationError(`--where ${text} cannot be read.`, {
    code: "flag-invalid",
    facts: { flag: "--where", value: text },
    hint: "Write --where status=current.",
  });
}

export function printJson(cli: CliContext, json: Json): void {
  cli.screen.out.write(`${JSON.stringify(json, undefined, 2)}\n`);
}
