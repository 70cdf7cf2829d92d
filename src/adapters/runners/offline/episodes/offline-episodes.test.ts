import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReviewerReply } from "../../../../domain/drafting/review.ts";
import {
  type AssetKind,
  assetKinds,
  formatOfKind,
} from "../../../../domain/episodes/asset-kind.ts";
import { parseChapters } from "../../../../domain/episodes/chapter.ts";
import { chunkTranscript } from "../../../../domain/episodes/chunker.ts";
import { foldCase, parseTags } from "../../../../domain/episodes/tag-list.ts";
import { parseTranscript } from "../../../../domain/episodes/transcript.ts";
import { defined } from "../../../../domain/values/defined.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import type { CreatorTask, OpenIssue, ReviewerTask } from "../../../../protocol/drafting/task.ts";
import { renderEpisodeBrief } from "../../../../protocol/episodes/episode-brief.ts";
import { reviewDraft } from "../offline-runner.ts";
import { episodeFacts } from "./episode-facts.ts";
import { summarizeChunkOffline, summarizeEpisodeOffline } from "./summarize-offline.ts";
import { writeEpisodeOffline } from "./write-offline.ts";

const example = join(import.meta.dirname, "../../../../../examples/episode");
const transcript = readFileSync(join(example, "transcript.txt"), "utf8");
const hosts = ["Mira Olsen", "Tomas Reyes"];

const german = `00:00:00 Jana Weiß: Willkommen zur Folge über Sauerteig und langsame Bäckereien.

00:00:12 Emre Kaya: Der Sauerteig ist älter als jede Bäckerei in dieser Stadt. Die Bäckerei Lorenz hat ihren Sauerteig seit 1923 nicht sterben lassen. Ein Sauerteig braucht jeden Tag Mehl, Wasser und Ruhe.

00:00:50 Jana Weiß: Warum ist das Mehl so wichtig?

00:00:55 Emre Kaya: Das Mehl bestimmt, wie viel Wasser der Teig halten kann. Ein Roggenmehl aus der Region verhält sich anders als ein Weizenmehl aus dem Supermarkt. Die Bäckerei kauft das Mehl deshalb bei einer Mühle an der Elbe. Die Mühle mahlt das Korn mit Steinen, und das Mehl bleibt dabei kühl. Mehr steht unter https://example.org/muehle.

00:01:40 Jana Weiß: Und der Preis? Ein Brot kostet dort acht Euro.

00:01:46 Emre Kaya: Der Preis eines Brotes ist vor allem der Preis der Arbeit. Ein Teig, der zwanzig Stunden ruht, braucht einen Menschen, der nachts nach dem Teig sieht. Eine Bäckerei mit drei Gesellen kann in der Nacht nur zweihundert Brote backen.
`;

function briefOf(
  text: string,
  about: { language: "en" | "de"; hosts: readonly string[]; chapters: string },
): string {
  const chunks = chunkTranscript(text).map((chunk) => summarizeChunkOffline(chunk.text));
  const summary = summarizeEpisodeOffline(chunks, {
    language: about.language,
    speakers: about.hosts,
  });
  return renderEpisodeBrief({
    episodeId: "long_shelf_12",
    language: about.language,
    hosts: about.hosts,
    summary: summary.summaryMarkdown,
    keyPoints: summary.keyPoints,
    topics: summary.topics,
    chapters: parseChapters(about.chapters),
    links: summary.links.map((link) => link.url),
    excerpt: text,
  });
}

const briefs = {
  en: briefOf(transcript, {
    language: "en",
    hosts,
    chapters: readFileSync(join(example, "chapters.txt"), "utf8"),
  }),
  de: briefOf(german, {
    language: "de",
    hosts: ["Jana Weiß", "Emre Kaya"],
    chapters: "00:00 Der alte Teig\n00:50 Mehl und Mühle\n",
  }),
} as const;

interface Loop {
  readonly texts: readonly string[];
  readonly reviews: readonly ReviewerReply[];
}

/** Writer and reviewer until they agree, or five turns. */
function loop(recipe: AssetKind, brief: string, changes: Partial<CreatorTask> = {}): Loop {
  const texts: string[] = [];
  const reviews: ReviewerReply[] = [];
  let openIssues: readonly OpenIssue[] = [];
  const shared = {
    assetId: recipe,
    recipe,
    title: recipe,
    format: formatOfKind(recipe),
    checks: [],
    maxCharacters: 9000,
    brief,
    candidateIndex: 1,
    instructions: "",
  };
  for (let iteration = 1; iteration <= 5; iteration += 1) {
    const previousText = texts.at(-1);
    const reply = writeEpisodeOffline({
      ...shared,
      kind: "create",
      reply: "structured",
      iteration,
      openIssues,
      ...defined({ previousText }),
      ...changes,
    });
    const answered = openIssues.map((open) => {
      const answer = reply.answers.find((one) => one.issueId === open.issue.issueId);
      return answer === undefined ? open : { ...open, answer };
    });
    const task: ReviewerTask = {
      ...shared,
      kind: "review",
      reviewer: "reviewer",
      approval: "structured",
      phrase: "SHIP IT",
      iteration,
      text: reply.content,
      openIssues: answered,
      checkIssues: [],
    };
    const review = reviewDraft(task);
    texts.push(reply.content);
    reviews.push(review);
    if (review.verdict === "ok" && reply.done) break;
    openIssues = [
      ...answered.filter((open) => review.kept.includes(open.issue.issueId)),
      ...review.issues.map((issue, index) => ({
        issue: { ...issue, issueId: `${iteration}-${index}`, reviewer: "reviewer", late: false },
        raisedIn: iteration,
      })),
    ];
  }
  return { texts, reviews };
}

const shapes: { readonly [kind in AssetKind]: (text: string) => void } = {
  description: (text) => expect(text.split("\n\n").length).toBeGreaterThan(2),
  shownotes: (text) => expect(text).toMatch(/^## Links$/m),
  summary_short: (text) => expect([2, 3]).toContain(sentencesOf(text).length),
  title_detail: (text) => expect(text).toMatch(/^.{10,99}$/u),
  title_seo: (text) => expect(text).toMatch(/^.{8,69}$/u),
  subtitle_auphonic: (text) => {
    expect(text).toMatch(/^.{20,254}$/u);
    expect(sentencesOf(text)).toHaveLength(1);
  },
  slug: (text) => expect(text).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  cms_tags: tagBullets,
  audio_tags: tagBullets,
  itunes_keywords: (text) => expect(text).toMatch(/^[^,\n]+(, [^,\n]+)+$/),
  mastodon: (text) => {
    expect([...text].length).toBeLessThan(500);
    expect(text).toMatch(/#\p{L}+ #\p{L}+/u);
  },
  linkedin: (text) => expect(text).toMatch(/\?\n\n#/),
  youtube_description: (text) => expect(text).toMatch(/^00:00 \S/m),
};

/** A review of a description as the stand-in is asked for it. */
const descriptionTask: Omit<ReviewerTask, "text"> = {
  ...{ recipe: "description", assetId: "description", title: "", format: "markdown" },
  ...{ brief: briefs.en, candidateIndex: 1, instructions: "", maxCharacters: 9999, checks: [] },
  ...{ kind: "review", reviewer: "r", approval: "structured", phrase: "", iteration: 1 },
  ...{ openIssues: [], checkIssues: [] },
};
const slugTask: Omit<ReviewerTask, "text"> = {
  ...descriptionTask,
  ...{ assetId: "slug", recipe: "slug", format: "plain", maxCharacters: 99 },
};

function tagBullets(text: string): void {
  expect(text).toMatch(/^(- [^\n]+\n?)+$/);
  const tags = parseTags(text);
  expect(tags.length).toBe(text.split("\n").length);
  expect(new Set(tags.map(foldCase)).size).toBe(tags.length);
}

for (const language of ["en", "de"] as const) {
  test.each([...assetKinds])(
    `${language}: %s ends signed, in the right shape, with names and sentences of the episode`,
    (kind) => {
      const { texts, reviews } = loop(kind, briefs[language]);
      expect(reviews.at(-1)?.verdict).toBe("ok");
      expect(texts.length).toBeLessThanOrEqual(2);
      shapes[kind](texts.at(-1)!);
    },
  );
}

test("prose quotes the conversation itself", () => {
  const spoken = parseTranscript(transcript)
    .map((cue) => cue.text)
    .join(" ");
  for (const kind of [
    "description",
    "shownotes",
    "linkedin",
    "summary_short",
    "mastodon",
    "youtube_description",
  ] as const) {
    const text = loop(kind, briefs.en).texts.at(-1)!;
    const quoted = text
      .split("\n")
      .flatMap(sentencesOf)
      .map((one) => one.replace(/^[-–]\s/u, ""))
      .filter((one) => one.length > 40 && spoken.includes(one));
    expect(quoted.length, kind).toBeGreaterThan(0);
  }
});

test("the reviewer's first objection is concrete and the second draft answers it", () => {
  const { texts, reviews } = loop("description", briefs.en);
  expect(reviews[0]).toMatchObject({
    verdict: "changes_requested",
    issues: [{ code: "missing_hosts", severity: "error" }],
  });
  expect(texts[0]).not.toContain("Tomas Reyes");
  expect(texts[1]).toContain("Mira Olsen and Tomas Reyes");
  expect(reviews[1]).toMatchObject({ verdict: "ok", closed: ["1-0"], score: 100 });
});

test("several candidates differ, and the same seed gives the same text", () => {
  const texts = [1, 2, 3].map((candidateIndex) =>
    loop("title_detail", briefs.en, { candidateIndex }).texts.at(-1),
  );
  expect(new Set(texts).size).toBe(3);
  expect(loop("description", briefs.en).texts).toEqual(loop("description", briefs.en).texts);
});

test("locked text is given back to the letter", () => {
  const { texts } = loop("slug", briefs.en, { lockedText: "the-long-shelf" });
  expect(texts[0]).toBe("the-long-shelf");
});

test("an objection no rule covers stays open and is never talked away", () => {
  const issue = {
    issueId: "p1",
    severity: "error",
    message: "Make it funnier.",
    reviewer: "person",
    late: false,
  } as const;
  const open = [{ issue, raisedIn: 1 }];
  expect(loop("description", briefs.en, { openIssues: open }).texts).toHaveLength(5);
  const task = { ...slugTask, iteration: 2, text: "slow-shelf" };
  expect(
    reviewDraft({
      ...task,
      openIssues: [{ ...open[0]!, answer: { issueId: "p1", answer: "deferred" } }],
    }),
  ).toMatchObject({ verdict: "changes_requested", kept: ["p1"] });
});

test.each([
  ["ungrounded", "Submarines orbit distant galaxies beyond purple volcanoes."],
  ["filler", "Let us delve into the world of drills."],
  ["transcript_label", "00:00:21 Tomas Reyes: Hello."],
  [
    "wrong_language",
    "Der Verleih ist nicht neu und die Werkzeuge sind für alle da, das ist auch für die Stadt gut.",
  ],
  [
    "repeated_sentence",
    "The shelf lends a drill to everybody. The shelf lends a drill to everybody.",
  ],
])("%s is found in a text by another writer", (code, sentence) => {
  const { texts } = loop("description", briefs.en);
  const text = code === "wrong_language" ? sentence : `${texts.at(-1)}\n\n${sentence}`;
  expect(reviewDraft({ ...descriptionTask, text }).issues.map((issue) => issue.code)).toContain(
    code,
  );
});

test("a failed check is never approved", () => {
  const { texts } = loop("slug", briefs.en);
  const checkIssues = [{ severity: "error", message: "Too long.", code: "max_length" }] as const;
  expect(reviewDraft({ ...slugTask, text: texts[0]!, checkIssues: [] }).verdict).toBe("ok");
  expect(reviewDraft({ ...slugTask, text: texts[0]!, checkIssues }).verdict).toBe(
    "changes_requested",
  );
});

test("an empty brief still gives every kind something to refuse or publish", () => {
  for (const kind of assetKinds) {
    expect(loop(kind, "").texts[0]).not.toBe("");
  }
});

test("summaries are whole sentences of the speakers without labels, links included", () => {
  const summary = summarizeEpisodeOffline(
    chunkTranscript(transcript).map((chunk) => summarizeChunkOffline(chunk.text)),
    { speakers: hosts },
  );
  const spoken = parseTranscript(transcript)
    .map((cue) => cue.text)
    .join(" ");
  expect(summary.keyPoints.length).toBeGreaterThan(8);
  for (const point of summary.keyPoints) {
    expect(spoken).toContain(point);
    expect(point).not.toMatch(/^(Mira|Tomas)|\d\d:\d\d:\d\d|\?$/);
  }
  expect(summary.links.map((link) => link.url)).toEqual([
    "https://example.org/long-shelf/starter-kit",
    "https://example.org/long-shelf/farid-trips",
    "https://example.org/long-shelf/letters",
  ]);
  expect(summary.topics).not.toContain("Tomas Reyes");
  expect(summary.topics).toContain("ladder");
});

test("German is recognised and extracted", () => {
  const summary = summarizeChunkOffline(german);
  expect(summary.bullets.join(" ")).toContain("Mehl");
  expect(summary.entities).toContain("Sauerteig");
});

test("parts without a telling sentence still have a summary: how each of them begins", () => {
  const part = (summaryMarkdown: string) => ({
    summaryMarkdown,
    bullets: [],
    entities: [],
    links: [],
  });
  const whole = summarizeEpisodeOffline([part("Loaf 1 rose. It did.\n"), part("Loaf 2 rose.\n")]);
  expect(whole.keyPoints).toEqual(["Loaf 1 rose.", "Loaf 2 rose."]);
  expect(whole.summaryMarkdown).toContain("Loaf 1 rose. Loaf 2 rose.");
});

test("without a summary texts quote what is said, not who says it when", () => {
  const brief = renderEpisodeBrief({
    ...{ episodeId: "bread", language: "en", hosts: [], summary: "", keyPoints: [], topics: [] },
    ...{ chapters: parseChapters("00:00 What a basket of flour costs\n"), links: [] },
    excerpt:
      "00:00:00 Ann: A loaf of slow bread needs two whole days in the cold kitchen.\n\n00:00:09 Bob: A baker needs flour, water, salt and a cold kitchen.\n",
  });
  const { statements, topics } = episodeFacts(brief);
  expect(statements.join("\n")).not.toMatch(/00:00|Ann:|Bob:/u);
  expect(topics).toContain("kitchen");
});
