import { parse } from "yaml";
import { z } from "zod";
import type { Rule } from "../../domain/gates/rule-gate.ts";
import { ruleSchema } from "./gate-rules.ts";

const section = /^## Offline check[ \t]*\n(?:(?!#).*?\n)??```ya?ml\n(.*?)\n```/ms;
const needsEngine = new Set<Rule["kind"]>(["pattern", "required-pattern"]);

/**
 * The rules that a judge gate gives for a stand-in, in a YAML block under `## Offline check`; `undefined` if there is
 * none, a sentence if they cannot be used.
 */
export function readOfflineCheck(body: string): readonly Rule[] | string | undefined {
  const written = section.exec(body.replaceAll("\r\n", "\n"))?.[1];
  if (written === undefined) return undefined;
  const read = z.array(ruleSchema).min(1).safeParse(yamlOf(written));
  if (!read.success) return `its offline check cannot be read: ${z.prettifyError(read.error)}`;
  if (read.data.some(({ kind }) => needsEngine.has(kind)))
    return "its offline check has a pattern, which only gates of kind rule can have";
  return read.data;
}

function yamlOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
