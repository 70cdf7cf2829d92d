import type { CreatorReply } from "../../../../domain/drafting/candidate.ts";
import type { Check } from "../../../../domain/drafting/recipe.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import { capitalised, codePoints, quoteOf } from "../words.ts";
import { briefSentences, keyTerms, readBrief } from "./brief.ts";
import { keepsLimits } from "./keeps-limits.ts";
import { handIn, readComplaints } from "./revision.ts";

/** Writes any text that is not a slogan out of the brief's own sentences, in the form its checks ask for. */
export function writeProse(task: CreatorTask, seed: number): CreatorReply {
  return handIn(task, () => compose(task, seed));
}

/** Of the body; what is left over goes into sections. */
const MOST_SENTENCES = 4;

type CheckOf<K extends Check["kind"]> = Extract<Check, { readonly kind: K }>;

function find<K extends Check["kind"]>(task: CreatorTask, kind: K): CheckOf<K> | undefined {
  return task.checks.find((check): check is CheckOf<K> => check.kind === kind);
}

interface Material {
  readonly terms: readonly string[];
  readonly sentences: readonly string[];
}

function compose(task: CreatorTask, seed: number): string {
  const material = materialFor(task, seed);
  const isFirst = task.iteration <= 1 && task.previousText === undefined;
  const body = bodyOf(task, isFirst && task.repair === undefined ? roughened(material) : material);
  const required = task.checks
    .filter((check) => check.kind === "required_text")
    .map((check) => check.text)
    .filter((text) => !body.includes(text));
  return within([body, ...required].join(find(task, "one_line") ? " " : "\n\n"), task);
}

function materialFor(task: CreatorTask, seed: number): Material {
  const { avoid } = readComplaints(task);
  const bans = task.checks.filter((check) => check.kind === "banned_words");
  const allowed = (text: string) =>
    !avoid.some((words) => quoteOf(text, words) !== undefined) && keepsLimits(text, bans);
  const terms = keyTerms(task.brief).filter(allowed);
  const about = terms.length === 0 ? [] : [`In short: ${terms.join(", ")}.`];
  const own = briefSentences(task.brief);
  const { uses, theme } = readBrief(task.brief);
  const promised = uses.map((use, at) => `${use}: ${theme.acts[(at + seed) % theme.acts.length]}.`);
  const sentences = (own.length > 0 ? own : promised).filter(allowed);
  return { terms, sentences: [...about, ...sentences] };
}

/** A first draft as people write it: one empty word of praise, and less of the matter than was asked for. */
function roughened({ terms, sentences }: Material): Material {
  const [topic = "it"] = terms;
  const opening = `${capitalised(topic)}: a great thing to know about.`;
  return {
    terms: ["great things", ...terms.slice(0, 1)],
    sentences: [opening, ...sentences.slice(1)],
  };
}

function bodyOf(task: CreatorTask, material: Material): string {
  const { terms, sentences } = material;
  if (find(task, "comma_list")) return terms.join(", ");
  if (find(task, "one_line")) return titleOf(material);
  const hashtags = find(task, "hashtags");
  const parts = [
    ...sectionsOf(task, material),
    find(task, "bullet_list")
      ? sentences
          .slice(0, MOST_SENTENCES)
          .map((sentence) => `- ${sentence}`)
          .join("\n")
      : paragraphOf(task, sentences),
    ...(hashtags === undefined ? [] : [hashtagLine(terms, hashtags.min)]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function sectionsOf(task: CreatorTask, { terms, sentences }: Material): readonly string[] {
  const spare = sentences.slice(MOST_SENTENCES);
  return task.checks
    .filter((check) => check.kind === "required_section")
    .map(({ heading }, index) => {
      const title = heading.startsWith("#") ? heading : `## ${heading}`;
      const name = heading.replace(/^#+\s*/, "");
      const topic = terms[index % terms.length] ?? "what was said";
      return `${title}\n\n${spare[index] ?? `${name}: more on ${topic}.`}`;
    });
}

function paragraphOf(task: CreatorTask, sentences: readonly string[]): string {
  const asked = find(task, "sentences");
  const least = find(task, "min_length")?.characters ?? 0;
  let count = Math.max(1, Math.min(asked?.max ?? MOST_SENTENCES, MOST_SENTENCES));
  const text = () => sentences.slice(0, count).join(" ");
  while (asked === undefined && codePoints(text()) < least && count < sentences.length) count += 1;
  return text();
}

function titleOf({ terms }: Material): string {
  const [topic = "Notes", ...others] = terms;
  return others.length === 0
    ? capitalised(topic)
    : `${capitalised(topic)}: ${listed(others.slice(0, 2))}`;
}

function hashtagLine(terms: readonly string[], least: number): string {
  const tags = terms.map((term) => `#${term.replace(/[^\p{L}\p{N}]/gu, "")}`);
  const wanted = Math.max(least, 3);
  const numbered = Array.from({ length: wanted }, (_, index) => `#part${index + 1}`);
  return [...new Set([...tags, ...numbered])].slice(0, Math.max(wanted, tags.length)).join(" ");
}

function listed(terms: readonly string[]): string {
  const last = terms.at(-1) ?? "";
  return terms.length < 2 ? last : `${terms.slice(0, -1).join(", ")} and ${last}`;
}

/** Cuts at a word when the text is longer than it may be. */
function within(text: string, task: CreatorTask): string {
  const most = Math.min(find(task, "max_length")?.characters ?? Infinity, task.maxCharacters);
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join("");
  return cut.replace(/[\s,;:]*\s\S*$/u, "") || cut;
}
