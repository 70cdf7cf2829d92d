import { z } from "zod";
import { defaultWatches, isWatchedPart, type WatchedPart } from "../../domain/gates/note-parts.ts";
import type { Rule } from "../../domain/gates/rule-gate.ts";
import type { FailLevel, GateKind } from "../../domain/gates/snapshots.ts";
import { defined } from "../../domain/values/defined.ts";
import { readFrontMatter } from "../documents/note-front-matter.ts";
import { ruleSchema } from "./gate-rules.ts";

/** A gate as its file says, before it has a version. */
export interface GateFile {
  readonly id: string;
  readonly kind: GateKind;
  readonly description?: string;
  readonly watches: readonly WatchedPart[];
  readonly requiresTrait: readonly string[];
  readonly requiresType: readonly string[];
  readonly failLevel: FailLevel;
  readonly rules: readonly Rule[];
  readonly body: string;
}

export interface FileProblem {
  readonly file: string;
  readonly line: number;
  /** Where in the front matter, e.g. `rules.0.words`. */
  readonly path: string;
  readonly message: string;
}

export type ParsedGateFile =
  | { readonly kind: "gate"; readonly gate: GateFile }
  | { readonly kind: "invalid"; readonly problems: readonly FileProblem[] };

const names = z
  .union([z.string().transform((name) => [name]), z.array(z.string())], {
    error: "write a name or a list of names",
  })
  .transform((list) => list.map((name) => name.trim()).filter((name) => name !== ""));

const watches = z
  .union([z.string().transform((part) => [part]), z.array(z.string())], {
    error: "write a part of the note or a list of parts",
  })
  .transform((parts, context) => {
    const wrong = parts.filter((part) => !isWatchedPart(part));
    if (wrong.length === 0) return parts.filter(isWatchedPart);
    context.addIssue({
      code: "custom",
      message: `unknown part ${wrong.join(", ")}; use body, title, description, links or frontmatter.<key>`,
    });
    return z.NEVER;
  });

const gateSchema = z.strictObject({
  gate_id: z.string().optional(),
  name: z.string().optional(),
  lens: z.string().optional(),
  description: z.string().optional(),
  kind: z.enum(["judge", "rule"]).default("judge"),
  watches: watches.optional(),
  requires_trait: names.optional(),
  "requires-trait": names.optional(),
  requires_type: names.optional(),
  "requires-type": names.optional(),
  fail_level: z.enum(["warn", "fail"]).default("fail"),
  rules: z.array(ruleSchema).optional(),
});

/** Reads one gate; every mistake is named with its line, none is passed over. */
export function parseGateFile(id: string, file: string, text: string): ParsedGateFile {
  const { frontMatter, bodyStart, lineOf } = readFrontMatter(text);
  if (frontMatter.kind === "malformed") {
    const { message, line } = frontMatter;
    return { kind: "invalid", problems: [{ file, line, path: "", message }] };
  }
  const values = frontMatter.kind === "read" ? frontMatter.values : {};
  const read = gateSchema.safeParse(values);
  const problems = read.success
    ? crossCheck(read.data, text.slice(bodyStart))
    : read.error.issues.flatMap(explainIssue);
  if (!read.success || problems.length > 0)
    return {
      kind: "invalid",
      problems: problems.map(({ path, message }) => ({
        file,
        line: lineOf(path),
        path: path.join("."),
        message,
      })),
    };
  return { kind: "gate", gate: toGate(id, read.data, text.slice(bodyStart)) };
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An unknown key is a problem of its own, at its own line. */
function explainIssue(issue: z.core.$ZodIssue): readonly Problem[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: `unknown key ${key}` }));
}

type GateValues = z.infer<typeof gateSchema>;

function crossCheck(values: GateValues, body: string): readonly Problem[] {
  const problems: Problem[] = [];
  if (values.kind === "rule" && (values.rules ?? []).length === 0)
    problems.push({ path: ["kind"], message: "a rule gate needs rules" });
  if (values.kind === "judge" && values.rules !== undefined)
    problems.push({ path: ["rules"], message: "only a gate of kind rule has rules" });
  if (values.kind === "judge" && body.trim() === "")
    problems.push({ path: [], message: "a judge gate needs a text that says what to judge" });
  if (values.requires_type !== undefined && values["requires-type"] !== undefined)
    problems.push({ path: ["requires-type"], message: "give requires_type once" });
  return problems;
}

function toGate(id: string, values: GateValues, body: string): GateFile {
  return {
    id,
    kind: values.kind,
    ...defined({ description: values.description }),
    watches: values.watches ?? defaultWatches,
    requiresTrait: values.requires_trait ?? values["requires-trait"] ?? [],
    requiresType: values.requires_type ?? values["requires-type"] ?? [],
    failLevel: values.fail_level,
    rules: values.rules ?? [],
    body: body.trim(),
  };
}
