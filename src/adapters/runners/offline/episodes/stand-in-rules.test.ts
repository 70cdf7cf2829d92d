import { expect, test } from "vitest";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import { renderEpisodeBrief } from "../../../../protocol/episodes/episode-brief.ts";
import { episodeFacts } from "./episode-facts.ts";
import { criticFor } from "./episode-faults.ts";
import { composeEpisodeText } from "./episode-texts.ts";
import { writeEpisodeOffline } from "./write-offline.ts";

const brief = renderEpisodeBrief({
  ...{ episodeId: "bread", language: "en", hosts: [], keyPoints: [], topics: [], chapters: [] },
  summary: "Bread needs time. See https://example.org/starter.",
  links: ["The mill: https://example.org/mill"],
  excerpt: "Ann: A loaf of slow bread needs two whole days in the cold kitchen.",
});
const facts = episodeFacts(brief);

test("links are those of the whole brief, and a link in the text is never denied", () => {
  const text = composeEpisodeText("shownotes", facts, { isFirst: false, variant: 0 });
  expect(text).toContain("<https://example.org/mill>");
  expect(text).toContain("<https://example.org/starter>");
  expect(text).not.toContain("No links");
  expect(criticFor("shownotes", facts)(text)).toEqual([]);
});

test("hashtags and addresses claim nothing that the episode would have to support", () => {
  const text = "#ToolLibraries #HarbourStreets #LongShelves #SlowDrills https://a.example/bcde";
  const codes = (said: string) => criticFor("mastodon", facts)(said).map(({ code }) => code);
  expect(codes(text)).not.toContain("ungrounded");
  expect(codes("Submarines orbit distant galaxies beyond volcanoes.")).toContain("ungrounded");
});

test("an issue is not called fixed when the rules give the same text again", () => {
  const task: CreatorTask = {
    ...{ kind: "create" as const, assetId: "slug", recipe: "slug", title: "", checks: [], brief },
    ...{ format: "plain" as const, reply: "structured" as const, instructions: "" },
    ...{ maxCharacters: 99, candidateIndex: 1, iteration: 1, openIssues: [] },
  };
  const { content } = writeEpisodeOffline(task);
  const issue = {
    issueId: "c1",
    severity: "error",
    message: "Too short.",
    code: "min_length",
  } as const;
  const openIssues = [{ issue: { ...issue, reviewer: "checks", late: false }, raisedIn: 1 }];
  expect(writeEpisodeOffline({ ...task, previousText: content, openIssues })).toMatchObject({
    ...{ content, done: false },
    answers: [{ issueId: "c1", answer: "deferred" }],
  });
});
