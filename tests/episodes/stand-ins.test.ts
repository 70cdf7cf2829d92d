import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { example, newFolder, signoff, steps } from "./episode-process.ts";

let home: string;
beforeEach(() => {
  home = newFolder();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function signed(input: readonly string[]): Promise<readonly string[]> {
  const cwd = join(home, "talk");
  await steps(home, ["init", "--episode-id", "talk", "--workspace", "talk"]);
  await steps(cwd, ["add", ...input], ["chunk"], ["summarize"]);
  const { stdout } = await signoff(["episode", "review", "--all", "--json"], { cwd });
  const assets: readonly { asset_id: string; state: string }[] = JSON.parse(stdout).assets;
  return assets.filter(({ state }) => state === "signed").map(({ asset_id }) => asset_id);
}

const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);

it.each([
  ["the example", join(example, "transcript.txt"), join(example, "chapters.txt")],
  ["a German episode", fixture("german-talk.txt"), fixture("german-chapters.txt")],
])("the stand-ins sign at least twelve texts of %s", async (_, transcript, chapters) => {
  const texts = await signed(["--transcript", transcript, "--chapters", chapters]);
  expect(texts.length).toBeGreaterThanOrEqual(12);
});

it("the stand-ins sign at least twelve texts of an episode of 20,000 words", async () => {
  const file = join(home, "talk.txt");
  writeFileSync(file, longTalk(20_000));
  const texts = await signed(["--transcript", file, "--host", "Ines Moreau"]);
  expect(texts.length).toBeGreaterThanOrEqual(12);
});

/** Sentences about an island that differ from each other, with times and three speakers. */
function longTalk(words: number): string {
  const things = "harbour lighthouse ferry keeper lamp fog storm archive logbook engine".split(" ");
  const people = ["The keeper", "Our museum", "A young engineer", "Every captain", "The school"];
  const thing = (at: number) => things[at % things.length];
  const turns: string[] = [];
  for (let count = 0, at = 0; count < words; at += 1) {
    const said = [
      `${people[at % 5]} changed the ${thing(at)} in year ${1900 + (at % 97)} because the ${thing(at * 3 + 1)} needed a new ${thing(at * 7 + 2)}.`,
      `When the ${thing(at + 4)} came, the ${thing(at * 9 + 5)} stayed away for ${at + 2} days.`,
      `There were ${at + 3} people on the island and one ${thing(at * 11 + 6)} for all of them.`,
    ].join(" ");
    const seconds = Math.floor(count / 2.6);
    const clock = [3600, 60, 1].map((unit) => String(Math.floor(seconds / unit) % 60));
    const speaker = ["Ines Moreau", "Per Lindqvist", "Aoife Byrne"][at % 3];
    turns.push(`${clock.map((part) => part.padStart(2, "0")).join(":")} ${speaker}: ${said}\n`);
    count += said.split(" ").length;
  }
  return turns.join("\n");
}
