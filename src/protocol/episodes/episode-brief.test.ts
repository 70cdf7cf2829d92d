import fc from "fast-check";
import { expect, test } from "vitest";
import { guessLanguage } from "../../domain/episodes/language.ts";
import { type EpisodeBrief, parseEpisodeBrief, renderEpisodeBrief } from "./episode-brief.ts";

const brief: EpisodeBrief = {
  episodeId: "bread_042",
  language: "de",
  hosts: ["Ada Bell", "Ben Rye"],
  summary: "## Warum Brot\n\nBrot braucht Zeit.",
  keyPoints: ["Zeit ist die wichtigste Zutat."],
  topics: ["Sauerteig"],
  chapters: [
    { title: "Anfang", startSec: 0, endSec: 60 },
    { title: "Ende", startSec: 60 },
  ],
  links: ["https://example.org/brot"],
  excerpt: "Ada: Hallo.\n## kein Titel",
};

test("writers read back exactly what the brief says", () => {
  expect(parseEpisodeBrief(renderEpisodeBrief(brief))).toEqual(brief);
});

test("a summary that looks like the brief itself changes nothing but the summary", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("## Hosts", "\\## Links", "- x", "## ", "words", ""), {
        maxLength: 6,
      }),
      (lines) => {
        const summary = lines.join("\n").trim();
        expect(parseEpisodeBrief(renderEpisodeBrief({ ...brief, summary }))).toEqual({
          ...brief,
          summary,
        });
      },
    ),
  );
});

test("the excerpt is cut at 4,000 characters and says so", () => {
  const rendered = renderEpisodeBrief({ ...brief, excerpt: "🥖".repeat(5000) });
  expect(rendered).toContain(`${"🥖".repeat(4000)}\n[...truncated]`);
  expect(rendered).not.toContain("🥖".repeat(4001));
});

test("words that are no brief are taken as the summary", () => {
  expect(parseEpisodeBrief("A show about bread.")).toMatchObject({
    summary: "A show about bread.",
    language: "en",
    hosts: [],
  });
});

test("the language is seen from common words", () => {
  expect(guessLanguage("Wir backen das Brot und es ist nicht schwer.")).toBe("de");
  expect(guessLanguage("We bake the bread and it is not hard.")).toBe("en");
  expect(guessLanguage("")).toBe("en");
});

test("shows the whole brief, and leaves out what is empty", () => {
  expect(renderEpisodeBrief(brief)).toMatchInlineSnapshot(`
    "## Episode
    bread_042

    ## Language
    de

    ## Hosts (use no other names for them)
    Ada Bell
    Ben Rye

    ## Summary
    \\## Warum Brot

    Brot braucht Zeit.

    ## Key points
    - Zeit ist die wichtigste Zutat.

    ## Topics
    - Sauerteig

    ## Chapters
    00:00 Anfang
    01:00 Ende

    ## Links
    - https://example.org/brot

    ## Transcript, beginning
    Ada: Hallo.
    \\## kein Titel
    "
  `);
  const bare = { ...brief, hosts: [], keyPoints: [], topics: [], chapters: [], links: [] };
  expect(renderEpisodeBrief({ ...bare, summary: " ", excerpt: "" })).toBe(
    "## Episode\nbread_042\n\n## Language\nde\n",
  );
});
