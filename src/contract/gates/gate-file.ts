import { z } from "zod";
import { defaultWatches, isWatchedPart, type WatchedPart } from "../../domain/gates/note-parts.ts";
import type { Rule } from "../../domain/gates/rule-gate.ts";
import type { FailLevel, GateKind } from "../../domain/gates/snapshots.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Parsed, problems } from "../documents/file-problem.ts";
import { readFrontMatter } from "../documents/front-matter.ts";
import { checkShape, type PathParts, problemAt } from "../documents/read-document.ts";
import { ruleSchema } from "./gate-rules.ts";
import { readOfflineCheck } from "./offline-check.ts";

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

const names = z
  .union(
    [z.null().transform(() => []), z.string().transform((name) => [name]), z.array(z.string())],
    {
      error: "write a name or a list of names",
    },
  )
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
  /** Written by the original program and never read. */
  staleness: z.unknown().optional(),
});

/** Reads one gate; every mistake is reported with its line. */
export function parseGateFile(id: string, file: string, text: string): Parsed<GateFile> {
  const { front, body } = readFrontMatter({ file, text }, { isRequired: false });
  if (front.kind === "problems") return front;
  const own = { ...front.value, value: withoutForeignKeys(front.value.value) };
  const read = checkShape(own, gateSchema);
  if (read.kind === "problems") return read;
  const found = crossCheck(read.value, body).map(({ path, message }) =>
    problemAt(front.value, path, message),
  );
  if (found.length > 0) return problems(found);
  return { kind: "parsed", value: toGate(id, read.value, body) };
}

/** `x-…` keys belong to others; any other unknown key is a mistake. */
function withoutForeignKeys<T>(written: T): T {
  if (typeof written !== "object" || written === null) return written;
  const own = Object.entries(written).filter(([key]) => !key.startsWith("x-"));
  return Object.fromEntries(own) as T;
}

interface Problem {
  readonly path: PathParts;
  readonly message: string;
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
  const offline = readOfflineCheck(body);
  if (typeof offline === "string") problems.push({ path: [], message: offline });
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
    // The kind of line end belongs to the checkout, not to the gate.
    body: body.replace(/\r\n?/gu, "\n").trim(),
  };
}
