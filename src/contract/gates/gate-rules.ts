import { z } from "zod";
import type { Rule } from "../../domain/gates/rule-gate.ts";
import { defined } from "../../domain/values/defined.ts";

const limit = z.int().nonnegative();
const texts = z.array(z.string().min(1)).min(1);

const checks = {
  words: texts,
  pattern: z.string().min(1),
  required_pattern: z.string().min(1),
  max_words: limit,
  min_words: limit,
  max_characters: limit,
  max_sentence_words: limit,
  max_paragraph_words: limit,
  max_heading_depth: limit,
  max_headings: limit,
  required_headings: texts,
  required_frontmatter: texts,
};

const writtenRule = z
  .strictObject({
    in: z.enum(["body", "title", "description"]).optional(),
    severity: z.enum(["warn", "fail"]).default("warn"),
    message: z.string().min(1).optional(),
    ...checks,
  })
  .partial({
    words: true,
    pattern: true,
    required_pattern: true,
    max_words: true,
    min_words: true,
    max_characters: true,
    max_sentence_words: true,
    max_paragraph_words: true,
    max_heading_depth: true,
    max_headings: true,
    required_headings: true,
    required_frontmatter: true,
  });

type WrittenRule = z.infer<typeof writtenRule>;

/** One rule as written in a gate's front matter: exactly one check, perhaps a scope, a severity and a message. */
export const ruleSchema = writtenRule.transform((written, context): Rule => {
  const named = Object.keys(checks).filter((name) => Object.hasOwn(written, name));
  const rule = named.length === 1 ? toRule(written) : undefined;
  if (rule !== undefined) return rule;
  const found = named.length === 0 ? "none" : named.join(" and ");
  const message = `a rule has exactly one check (${Object.keys(checks).join(", ")}); this one has ${found}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

function toRule(written: WrittenRule): Rule | undefined {
  const { severity, message } = written;
  const facts = { severity, ...defined({ message }) };
  return scopedRule(written, facts) ?? structureRule(written, facts);
}

type Facts = Pick<Rule, "severity" | "message">;

function scopedRule(written: WrittenRule, facts: Facts): Rule | undefined {
  const scoped = { ...facts, in: written.in ?? "body" } as const;
  if (written.words !== undefined) return { ...scoped, kind: "words", words: written.words };
  if (written.pattern !== undefined)
    return { ...scoped, kind: "pattern", pattern: written.pattern };
  if (written.required_pattern !== undefined)
    return { ...scoped, kind: "required-pattern", pattern: written.required_pattern };
  if (written.max_words !== undefined)
    return { ...scoped, kind: "max-words", limit: written.max_words };
  if (written.min_words !== undefined)
    return { ...scoped, kind: "min-words", limit: written.min_words };
  if (written.max_characters !== undefined)
    return { ...scoped, kind: "max-characters", limit: written.max_characters };
  return undefined;
}

function structureRule(written: WrittenRule, facts: Facts): Rule | undefined {
  if (written.max_sentence_words !== undefined)
    return { ...facts, kind: "max-sentence-words", limit: written.max_sentence_words };
  if (written.max_paragraph_words !== undefined)
    return { ...facts, kind: "max-paragraph-words", limit: written.max_paragraph_words };
  if (written.max_heading_depth !== undefined)
    return { ...facts, kind: "max-heading-depth", limit: written.max_heading_depth };
  if (written.max_headings !== undefined)
    return { ...facts, kind: "max-headings", limit: written.max_headings };
  if (written.required_headings !== undefined)
    return { ...facts, kind: "required-headings", headings: written.required_headings };
  if (written.required_frontmatter !== undefined)
    return { ...facts, kind: "required-frontmatter", keys: written.required_frontmatter };
  return undefined;
}
