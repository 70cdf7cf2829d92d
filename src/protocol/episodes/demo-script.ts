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
  const write = isAssetKind(assetId) ? texts[assetId] : prose;
  const about = cut(facts.chapter.replace(/[.!?…\s]+/gu, " "), 45) || "Intro";
  const text = (more: string) =>
    facts.lockedText ?? write({ about, line: cut(facts.line, 150), more });
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

interface Said {
  readonly about: string;
  readonly line: string;
  readonly more: string;
}

type Write = (said: Said) => string;

const purpose =
  "This text is written by a script, not by a model: it shows how a draft and its review follow each other until both sides have signed, and which files they leave in the workspace.";

const prose: Write = ({ about, line, more }) =>
  paragraphs(`The episode begins with "${about}".`, line, purpose, more);
const title: Write = ({ about, more }) => `${about} ${more}`.trim();
const tagList: Write = (said) =>
  tags(said)
    .map((tag) => `- ${tag}`)
    .join("\n");

const texts: { readonly [kind in AssetKind]: Write } = {
  description: prose,
  shownotes: (said) => paragraphs(prose(said), "## Links", "- https://example.org"),
  summary_short: (said) => `The episode begins with ${title(said)}. A script wrote this.`,
  title_detail: title,
  title_seo: title,
  subtitle_auphonic: (said) => `An episode about ${title(said)}.`,
  slug: (said) => {
    const words =
      title(said)
        .normalize("NFKD")
        .toLowerCase()
        .match(/[a-z0-9]+/gu) ?? [];
    return words.slice(-6).join("-") || "episode";
  },
  cms_tags: tagList,
  audio_tags: tagList,
  itunes_keywords: (said) => tags(said).join(", "),
  mastodon: (said) => paragraphs(prose(said), "#podcast #signoff"),
  linkedin: (said) => paragraphs(prose(said), "What would you have asked?"),
  youtube_description: (said) => paragraphs(prose(said), `00:00 ${said.about}\n05:00 More`),
};

function tags({ about, more }: Said): readonly string[] {
  const own = cut(about.toLowerCase().replaceAll(",", " "), 30);
  return uniqueFolded(["podcast", own, "conversation", "review", more]);
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join("").trim();
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
