import { z } from "zod";
import { textFormats } from "../../domain/drafting/candidate.ts";
import { labelProblem, panelRules } from "../../domain/drafting/panel.ts";
import {
  type Check,
  mostTokens,
  type PanelMember,
  type Recipe,
} from "../../domain/drafting/recipe.ts";
import { stopRules } from "../../domain/drafting/stop-rules.ts";
import { defined } from "../../domain/values/defined.ts";
import { lazily } from "../../domain/values/lazily.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { type Parsed, problems } from "../documents/file-problem.ts";
import { readFrontMatter } from "../documents/front-matter.ts";
import { parseSections } from "../documents/markdown-sections.ts";
import { nearestName } from "../documents/nearest-name.ts";
import { checkShape } from "../documents/read-document.ts";
import { camelCaseKeys } from "../documents/stored-keys.ts";

/** The recipe, or everything that is wrong with its file, each with its line. */
export type ParsedRecipe = Parsed<Recipe>;

/** Parsing markdown and YAML is not linear for every input; no recipe comes near this. */
const longestFile = 200_000;

/**
 * A recipe file: front matter with the settings, `## Writer` and `## Reviewer` with the instructions, and
 * `## Reviewer: <name>` for each member of a panel. People write these files, so nothing is guessed: everything unknown
 * or wrong is a problem, all of them at once.
 */
export function parseRecipe(text: string, file: string): ParsedRecipe {
  if (text.length > longestFile) {
    const message = `has more than ${longestFile} characters`;
    return problems([{ file, path: "", message }]);
  }
  const { front, body, bodyLine } = readFrontMatter({ file, text }, { isRequired: true });
  const settings = front.kind === "problems" ? front : checkShape(front.value, frontMatterShape());
  const members = settings.kind === "parsed" ? (settings.value.reviewers ?? []) : [];
  const titles = ["Writer", "Reviewer", ...members.map(({ name }) => `Reviewer: ${name}`)];
  const sections = parseSections({ text: body, firstLine: bodyLine, file, titles });
  if (settings.kind === "parsed" && sections.kind === "parsed") {
    return { kind: "parsed", value: makeRecipe(settings.value, sections.value) };
  }
  const found = [settings, sections].flatMap((part) =>
    part.kind === "problems" ? part.problems : [],
  );
  return problems(found.sort((one, other) => (one.line ?? 1) - (other.line ?? 1)));
}

const lengthShape = lazily(() => z.int().min(1).max(10_000_000));

const draftCheckShape = lazily(() => {
  const severity = z.enum(["error", "warning"]).default("error");
  const characters = lengthShape();
  return z.discriminatedUnion(
    "kind",
    [
      z.strictObject({ kind: z.literal("max_length"), characters, severity }),
      z.strictObject({ kind: z.literal("min_length"), characters, severity }),
      z.strictObject({ kind: z.literal("one_line"), severity }),
      z.strictObject({
        kind: z.literal("sentences"),
        min: z.int().min(0),
        max: z.int().min(1),
        severity,
      }),
      z.strictObject({
        kind: z.literal("pattern"),
        pattern: z.string().min(1),
        message: z.string().min(1),
        severity,
      }),
      z.strictObject({
        kind: z.literal("banned_words"),
        words: z.array(z.string().min(1)).min(1),
        severity,
      }),
      z.strictObject({ kind: z.literal("required_section"), heading: z.string().min(1), severity }),
      z.strictObject({ kind: z.literal("required_text"), text: z.string().min(1), severity }),
      z.strictObject({ kind: z.literal("hashtags"), min: z.int().min(1), severity }),
      z.strictObject({ kind: z.literal("bullet_list"), severity }),
      z.strictObject({ kind: z.literal("comma_list"), severity }),
      z.strictObject({ kind: z.literal("unique_items"), severity }),
      z.strictObject({ kind: z.literal("opening_chapter"), severity }),
    ],
    { error: ({ code }) => (code === "invalid_union" ? unknownCheck : undefined) },
  ) satisfies z.ZodType<Check>;
});

const unknownCheck =
  "must be max_length, min_length, one_line, sentences, pattern, banned_words, required_section, required_text, hashtags, bullet_list, comma_list, unique_items or opening_chapter";

function roleShape(temperature: number) {
  return z
    .strictObject({
      model: z.string().min(1).exactOptional(),
      temperature: z.number().min(0).max(2).default(temperature),
      max_tokens: z.int().min(1).max(mostTokens).default(4000),
    })
    .prefault({});
}

/** A name alone is a member without a model of its own. */
const membersShape = lazily(() =>
  z
    .array(
      z.preprocess(
        (given) => (typeof given === "string" ? { name: given } : given),
        z.strictObject({
          name: z.string().check((given) => {
            const message = labelProblem(given.value);
            if (message !== undefined)
              given.issues.push({ code: "custom", message, input: given.value });
          }),
          model: z.string().min(1).exactOptional(),
        }),
      ),
    )
    .min(2, "must name at least two; a single reviewer needs no name")
    .max(8)
    .refine((members) => new Set(members.map(({ name }) => name)).size === members.length, {
      error: "names a reviewer twice",
    }),
);

export const recipeId = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/u;

const frontMatterShape = lazily(() =>
  z.strictObject({
    id: z.string().regex(recipeId, "must be lower-case words joined by - or _"),
    title: z.string().trim().min(1),
    format: z.enum(textFormats).default("markdown"),
    reply: z.enum(["plain", "structured"]).default("structured"),
    approval: z.enum(["phrase", "structured"]).default("structured"),
    phrase: z
      .string()
      .regex(/[\p{L}\p{N}]/u, "must hold a word")
      .default("SHIP IT"),
    max_turns: z.int().min(1).max(10).default(5),
    max_characters: lengthShape().default(100_000),
    max_seconds: z.int().min(1).max(3_600).exactOptional(),
    checks: z.array(draftCheckShape()).default([]),
    stop_rules: z.array(z.enum(stopRules)).default([]),
    stop_on_needs_human: z.boolean().default(false),
    writer: roleShape(0.7),
    reviewer: roleShape(0.3),
    reviewers: membersShape().exactOptional(),
    panel: z.enum(panelRules).exactOptional(),
  }),
);

function makeRecipe(
  front: z.output<ReturnType<typeof frontMatterShape>>,
  [writerBrief = "", reviewerBrief = "", ...briefs]: readonly string[],
): Recipe {
  const { reviewers, panel: panelRule, ...rest } = front;
  const {
    reply: creatorReply,
    writer: creator,
    ...same
  } = camelCaseKeys(frontMatterShape().omit({ reviewers: true, panel: true }), rest);
  const panel = reviewers?.map(
    (member, at): PanelMember => ({ ...member, brief: briefs[at] ?? "" }),
  );
  const briefsOfRoles = { writerBrief, reviewerBrief };
  const isLine = front.format === "plain" && creatorReply === "plain";
  return {
    ...same,
    creatorReply,
    creator,
    ...briefsOfRoles,
    ...defined({ panel, panelRule }),
    ...(isLine ? { removesMarks: true } : {}),
  };
}

/** The recipe of this id; refuses an unknown one with the name that was probably meant. */
export function recipeAmong<T extends { readonly id: string }>(known: readonly T[], id: string): T {
  const found = known.find((recipe) => recipe.id === id);
  if (found !== undefined) return found;
  const names = known.map((recipe) => recipe.id);
  const near = nearestName(id, names);
  throw new ConfigurationError(`There is no recipe "${id}".`, {
    code: "recipe-unknown",
    facts: { recipe: id },
    hint: near === undefined ? `Known recipes: ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}
