import { z } from "zod";
import type { Rule } from "../../domain/gates/rule-gate.ts";
import { defined } from "../../domain/values/defined.ts";

const limit = z.int().nonnegative();
const text = z.string().min(1);
const texts = z.array(text).min(1);

const scopedChecks = {
  words: texts,
  pattern: text,
  required_pattern: text,
  max_words: limit,
  min_words: limit,
  max_characters: limit,
};

const checks = {
  ...scopedChecks,
  max_sentence_words: limit,
  max_paragraph_words: limit,
  max_heading_depth: limit,
  max_headings: limit,
  required_headings: texts,
  required_frontmatter: texts,
  unlinked_figures: z.literal(true),
  unexplained_abbreviations: limit,
  title_words_in_body: limit,
  new_words_in_description: limit,
};

type CheckName = keyof typeof checks;

/** The member that holds a check's value; `limit` for all others. */
const members: { readonly [name in CheckName]?: string } = {
  words: "words",
  pattern: "pattern",
  required_pattern: "pattern",
  required_headings: "headings",
  required_frontmatter: "keys",
};

const writtenRule = z.strictObject({
  in: z.enum(["body", "title", "description"]).default("body"),
  severity: z.enum(["warn", "fail"]).default("warn"),
  message: text.optional(),
  ...z.object(checks).partial().shape,
});

/** One rule as written in a gate's front matter: exactly one check, perhaps a scope, a severity and a message. */
export const ruleSchema = writtenRule.transform((written, context): Rule => {
  const names = Object.keys(checks) as CheckName[];
  const [name, ...others] = names.filter((known) => Object.hasOwn(written, known));
  if (name !== undefined && others.length === 0) return toRule(written, name);
  const found = name === undefined ? "none" : [name, ...others].join(" and ");
  const message = `a rule has exactly one check (${names.join(", ")}); this one has ${found}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

function toRule(written: z.infer<typeof writtenRule>, name: CheckName): Rule {
  const { severity, message } = written;
  return {
    severity,
    ...defined({ message }),
    kind: name.replaceAll("_", "-"),
    [members[name] ?? "limit"]: written[name],
    ...(Object.hasOwn(scopedChecks, name) ? { in: written.in } : {}),
  } as Rule;
}
