import type { CreatorReply } from "../../../../domain/drafting/candidate.ts";
import type { Check } from "../../../../domain/drafting/recipe.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import { capitalised, quoteOf } from "../words.ts";
import { briefSentences, keyTerms, readBrief } from "./brief.ts";
import { keepsLimits } from "./keeps-limits.ts";
import { handIn, readComplaints } from "./revision.ts";

/** Writes any text that is not a slogan out of the brief's own sentences, in the form its checks ask for. */
export function writeProse(task: CreatorTask, seed: number): CreatorReply {
  return handIn(task, () => compose(task, seed));
}

/** Of the body; what is left over goes into sections. */
const mostSentences = 4;

type CheckOf<K extends Check["kind"]> = Extract<Check, { readonly kind: K }>;

function find<K extends Check["kind"]>(task: CreatorTask, kind: K): CheckOf<K> | undefined {
  return task.checks.find((check): check is CheckOf<K> => check.kind === kind);
}

type Prose = Pick<Material, "terms" | "sentences">;

interface Material {
  readonly terms: readonly string[];
  readonly sentences: readonly string[];
  /** What can be added when the text is too short. */
  readonly spare: readonly string[];
}

function compose(task: CreatorTask, seed: number): string {
  const material = materialFor(task, seed);
  const isFirst = task.iteration <= 1 && task.previousText === undefined;
  const body = bodyOf(task, isFirst && task.repair === undefined ? roughened(material) : material);
  const required = task.checks
    .filter((check) => check.kind === "required_text")
    .map((check) => check.text)
    .filter((text) => !body.includes(text));
  const whole = [body, ...required].join(find(task, "one_line") ? " " : "\n\n");
  return within(lengthened(whole, task, material), task);
}

/** Says more of what the brief promises where the checks ask for more. */
function lengthened(text: string, task: CreatorTask, { spare }: Material): string {
  const least = find(task, "min_length")?.characters ?? 0;
  let longer = text;
  for (const sentence of spare) {
    if ([...longer].length >= least) break;
    longer = `${longer} ${sentence}`;
  }
  return longer;
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
  const more = theme.acts.map((act) => `${capitalised(terms[0] ?? "it")}: ${act}.`);
  const spare = [...(own.length > 0 ? promised : []), ...more].filter(allowed);
  return { terms, sentences: [...about, ...sentences], spare: [...new Set(spare)] };
}

/** A first draft as people write it: one empty word of praise, and less of the matter than was asked for. */
function roughened({ terms, sentences, spare }: Material): Material {
  const [topic = "it"] = terms;
  const opening = `${capitalised(topic)}: a great thing to know about.`;
  return {
    terms: ["great things", ...terms.slice(0, 1)],
    sentences: [opening, ...sentences.slice(1)],
    spare,
  };
}

function bodyOf(task: CreatorTask, { terms, sentences }: Prose): string {
  if (find(task, "comma_list")) return terms.join(", ");
  if (find(task, "one_line")) return capitalised(terms.slice(0, 3).join(", ") || "notes");
  const most = Math.min(find(task, "sentences")?.max ?? mostSentences, mostSentences);
  const some = sentences.slice(0, Math.max(1, most));
  const hashtags = find(task, "hashtags");
  const parts = [
    ...sectionsOf(task, { terms, sentences }),
    find(task, "bullet_list") ? some.map((one) => `- ${one}`).join("\n") : some.join(" "),
    ...(hashtags === undefined ? [] : [hashtagLine(terms, hashtags.min)]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function sectionsOf(task: CreatorTask, { terms, sentences }: Prose): readonly string[] {
  const spare = sentences.slice(mostSentences);
  return task.checks
    .filter((check) => check.kind === "required_section")
    .map(({ heading }, index) => {
      const title = heading.startsWith("#") ? heading : `## ${heading}`;
      return `${title}\n\n${spare[index] ?? `More on ${terms[index] ?? "what was said"}.`}`;
    });
}

function hashtagLine(terms: readonly string[], least: number): string {
  const tags = terms.map((term) => `#${term.replace(/[^\p{L}\p{N}]/gu, "")}`);
  const spare = Array.from({ length: least }, (_, index) => `#part${index + 1}`);
  return [...new Set([...tags, ...spare])].slice(0, Math.max(least, 3)).join(" ");
}

/** Cuts at a word when the text is longer than it may be. */
function within(text: string, task: CreatorTask): string {
  const most = Math.min(find(task, "max_length")?.characters ?? Infinity, task.maxCharacters);
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join("");
  return cut.replace(/[\s,;:]*\s\S*$/u, "") || cut;
}
