import type { AssetKind } from "../../domain/episodes/asset-kind.ts";
import { isAssetKind } from "../../domain/episodes/asset-kind.ts";

/** What the scripted pair of `--fake-runner` talks about. */
export interface DemoFacts {
  readonly chapter: string;
  readonly line: string;
  readonly lockedText?: string;
}

export interface DemoScript {
  readonly creator: readonly { readonly content: string; readonly done: boolean }[];
  readonly reviewer: readonly {
    readonly verdict: "changes_requested" | "ok";
    readonly issues: readonly { readonly message: string }[];
  }[];
}

/** Two turns: the reviewer wants more, the writer revises and is done, both sign. */
export function demoScript(assetId: string, facts: DemoFacts): DemoScript {
  const write = isAssetKind(assetId) ? texts[assetId] : texts.description;
  const text = (revision: 1 | 2): string => facts.lockedText ?? write(facts, revision);
  return {
    creator: [
      { content: text(1), done: false },
      { content: text(2), done: true },
    ],
    reviewer: [
      { verdict: "changes_requested", issues: [{ message: "add more detail" }] },
      { verdict: "ok", issues: [] },
    ],
  };
}

type Write = (facts: DemoFacts, revision: 1 | 2) => string;

const texts: { readonly [kind in AssetKind]: Write } = {
  description: ({ chapter, line }, revision) =>
    paragraphs(
      `An episode that begins with "${chapter}".`,
      `The first words are: ${line}`,
      "This text is written by a script, not by a model: it shows how a draft and its review follow each other until both sides have signed, and which files they leave in the workspace.",
      mark(revision),
    ),
  shownotes: ({ chapter, line }, revision) =>
    paragraphs(
      `- ${chapter}`,
      `The first words are: ${line}`,
      "These notes are written by a script, to show where a text and its reviews are kept.",
      mark(revision),
      "## Links",
      "- https://example.org",
    ),
  summary_short: ({ chapter, line }, revision) =>
    `The episode begins with ${bare(chapter)}. It opens like this: ${bare(line)}.${revision === 2 ? " This is revision 2." : ""}`,
  title_detail: ({ chapter }, revision) => title(chapter, revision, 90),
  title_seo: ({ chapter }, revision) => title(chapter, revision, 60),
  subtitle_auphonic: ({ chapter }, revision) =>
    `An episode about ${cut(bare(chapter), 150)}${revision === 2 ? ", in revision 2" : ""}.`,
  slug: ({ chapter }, revision) => slug(`${chapter}${revision === 2 ? " revision 2" : ""}`),
  cms_tags: (facts, revision) => bullets(facts, revision),
  audio_tags: (facts, revision) => bullets(facts, revision),
  itunes_keywords: (facts, revision) => tags(facts, revision).join(", "),
  mastodon: ({ chapter, line }, revision) =>
    paragraphs(cut(chapter, 80), cut(line, 200), mark(revision), "#podcast #signoff"),
  linkedin: ({ chapter, line }, revision) =>
    paragraphs(
      `A new episode: ${bare(chapter)}.`,
      `It opens like this: ${line}`,
      "A scripted pair wrote and reviewed this text to show how a loop works, which words it leaves behind, and where each of them can be read afterwards.",
      mark(revision),
      "What would you have asked?",
    ),
  youtube_description: ({ chapter, line }, revision) =>
    paragraphs(line, mark(revision), `00:00 ${bare(chapter)}\n05:00 More`),
};

function tags({ chapter }: DemoFacts, revision: 1 | 2): readonly string[] {
  const own = bare(chapter).toLowerCase().replaceAll(",", " ");
  return [
    "podcast",
    cut(own, 30),
    "conversation",
    "review",
    ...(revision === 2 ? ["revision 2"] : []),
  ];
}

function bullets(facts: DemoFacts, revision: 1 | 2): string {
  return tags(facts, revision)
    .map((tag) => `- ${tag}`)
    .join("\n");
}

function title(chapter: string, revision: 1 | 2, most: number): string {
  return `${cut(bare(chapter), most - 14)}${revision === 2 ? " (revision 2)" : ""}`;
}

function mark(revision: 1 | 2): string {
  return revision === 2 ? "Revision 2" : "";
}

function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== "");
  return words.slice(-6).join("-") || "episode";
}

function bare(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[.!?…\s]+$/u, "");
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join("").trim();
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
