import type { CreatorReply } from "../../../../domain/drafting/candidate.ts";
import { runChecks } from "../../../../domain/drafting/checks.ts";
import type { Check } from "../../../../domain/drafting/recipe.ts";
import { capitalised } from "../../../../domain/values/capitalised.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import { hashtags, quoteOf, rotated } from "../words.ts";
import { briefSentences, briefTerms, readBrief } from "./brief.ts";
import { handIn, readComplaints } from "./revision.ts";

/** Writes any text that is not a slogan out of the brief's own sentences, in the form its checks ask for. */
export function writeProse(task: CreatorTask, seed: number): CreatorReply {
  const material = materialFor(task, seed);
  const isFirst = task.previousText === undefined && task.repair === undefined;
  const body = bodyOf(task, isFirst ? roughened(material) : material);
  const required = all(task, "required_text")
    .map(({ text }) => text)
    .filter((text) => !body.includes(text));
  const whole = [body, ...required].join(find(task, "one_line") ? " " : "\n\n");
  return handIn(task, within(whole, task));
}

/** Of the body, unless the checks ask for a longer text. */
const mostSentences = 4;

type CheckOf<K extends Check["kind"]> = Extract<Check, { readonly kind: K }>;

function all<K extends Check["kind"]>(task: CreatorTask, kind: K): readonly CheckOf<K>[] {
  return task.checks.filter((check): check is CheckOf<K> => check.kind === kind);
}

function find<K extends Check["kind"]>(task: CreatorTask, kind: K): CheckOf<K> | undefined {
  return all(task, kind)[0];
}

interface Material {
  readonly terms: readonly string[];
  /** Of the brief, then what it promises. */
  readonly sentences: readonly string[];
}

function materialFor(task: CreatorTask, seed: number): Material {
  const { avoid } = readComplaints(task);
  const bans = all(task, "banned_words");
  const allowed = (text: string) =>
    !avoid.some((words) => quoteOf(text, words) !== undefined) &&
    runChecks(bans, text, { matches: () => true }).length === 0;
  const terms = briefTerms(task.brief).filter(allowed);
  const about = terms.length === 0 ? [] : [`In short: ${terms.join(", ")}.`];
  const { uses, theme } = readBrief(task.brief);
  const promised = rotated(theme.acts, Math.abs(seed)).flatMap((act) =>
    uses.map((use) => `${use}: ${act}.`),
  );
  const said = [...briefSentences(task.brief), ...promised].filter(allowed);
  return { terms, sentences: [...about, ...said] };
}

/** A first draft as people write it: one empty word of praise, and less of the matter than was asked for. */
function roughened({ terms, sentences }: Material): Material {
  const opening = `${capitalised(terms[0] ?? "it")}: a great thing to know about.`;
  return {
    terms: ["great things", ...terms.slice(0, 1)],
    sentences: [opening, ...sentences.slice(1)],
  };
}

function bodyOf(task: CreatorTask, { terms, sentences }: Material): string {
  if (find(task, "comma_list")) return terms.join(", ");
  if (find(task, "one_line")) return capitalised(terms.slice(0, 3).join(", ") || "notes");
  const least = find(task, "min_length")?.characters ?? 0;
  const isNeeded = (_: string, at: number) =>
    at < mostSentences || sentences.slice(0, at).join(" ").length < least;
  const said = sentences.filter(isNeeded).slice(0, find(task, "sentences")?.max);
  const parts = [
    ...all(task, "required_section").map(({ heading }, index) => {
      const title = heading.startsWith("#") ? heading : `## ${heading}`;
      return `${title}\n\nMore on ${terms[index] ?? "what was said"}.`;
    }),
    find(task, "bullet_list") ? said.map((one) => `- ${one}`).join("\n") : said.join(" "),
    find(task, "hashtags") ? hashtags(terms) : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Cuts at a word when the text is longer than it may be. */
function within(text: string, task: CreatorTask): string {
  const most = Math.min(find(task, "max_length")?.characters ?? Infinity, task.maxCharacters);
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join("");
  return cut.replace(/[\s,;:]*\s\S*$/u, "") || cut;
}
