import { type AssetKind, isAssetKind } from "../../domain/episodes/asset-kind.ts";
import { uniqueFolded } from "../../domain/episodes/tag-list.ts";

/** What the scripted pair of `--fake-runner` talks about. */
export interface DemoFacts {
  readonly chapter: string;
  readonly line: string;
  readonly lockedText?: string;
  /** How many turns the loop may take. */
  readonly turns: number;
}

export interface DemoScript {
  readonly creator: readonly { readonly content: string; readonly done: boolean }[];
  readonly reviewer: readonly {
    readonly verdict: "changes_requested" | "ok";
    readonly issues: readonly { readonly message: string }[];
  }[];
}

/**
 * Two turns: the reviewer wants more, the writer revises and is done, both sign. The second turn is repeated up to the
 * limit, because a check or a lock may object to what the reviewer approves; the script never runs out.
 */
export function demoScript(assetId: string, facts: DemoFacts): DemoScript {
  const write = isAssetKind(assetId) ? texts[assetId] : texts.description;
  const about = cut(facts.chapter.replace(/[.!?…\s]+/gu, " "), 45) || "Intro";
  const text = (more: string) => facts.lockedText ?? write(about, cut(facts.line, 200), more);
  const again = Math.max(1, facts.turns - 1);
  return {
    creator: [
      { content: text(""), done: false },
      ...Array(again).fill({ content: text("Revision 2"), done: true }),
    ],
    reviewer: [
      { verdict: "changes_requested", issues: [{ message: "add more detail" }] },
      ...Array(again).fill({ verdict: "ok", issues: [] }),
    ],
  };
}

type Write = (about: string, line: string, more: string) => string;

const purpose =
  "This text is written by a script, not by a model: it shows how a draft and its review follow each other until both sides have signed, and which files they leave in the workspace.";

const title: Write = (about, _line, more) => `${about} ${more}`.trim();
const tagList: Write = (about, _line, more) =>
  tags(about, more)
    .map((tag) => `- ${tag}`)
    .join("\n");

const texts: { readonly [kind in AssetKind]: Write } = {
  description: (about, line, more) =>
    paragraphs(
      `The episode begins with "${about}".`,
      `The first words are: ${line}`,
      purpose,
      more,
    ),
  shownotes: (about, line, more) =>
    paragraphs(`- ${about}`, line, purpose, more, "## Links", "- https://example.org"),
  summary_short: (about, _line, more) =>
    `The episode begins with ${about}. A script wrote this.${more && ` This is ${more}.`}`,
  title_detail: title,
  title_seo: title,
  subtitle_auphonic: (about, _line, more) => `An episode about ${about}${more && `, ${more}`}.`,
  slug: (about, _line, more) => slug(`${about} ${more}`),
  cms_tags: tagList,
  audio_tags: tagList,
  itunes_keywords: (about, _line, more) => tags(about, more).join(", "),
  mastodon: (about, line, more) => paragraphs(about, line, more, "#podcast #signoff"),
  linkedin: (about, line, more) =>
    paragraphs(`A new episode: ${about}.`, line, purpose, more, "What would you have asked?"),
  youtube_description: (about, line, more) => paragraphs(line, more, `00:00 ${about}\n05:00 More`),
};

function tags(about: string, more: string): readonly string[] {
  const own = cut(about.toLowerCase().replaceAll(",", " "), 30);
  return uniqueFolded(["podcast", own, "conversation", "review", more]).filter((tag) => tag !== "");
}

function slug(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/gu) ?? [];
  return words.slice(-6).join("-") || "episode";
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join("").trim();
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
