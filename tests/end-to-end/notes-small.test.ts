import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
const byScript = ["--script", "reviews.json"];

beforeEach(() => {
  shop = new NotesRepository();
  shop.note("hours", "We open at eight.");
  shop.note("prices", "A loaf costs four euros.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.gate("prose/claims", "Fail empty claims.", "requires_trait: claim");
  shop.write("signoff.yaml", "version: 1\n");
  shop.write(".gitignore", ".signoff/\nreviews.json\n");
  shop.commit();
});
afterEach(() => shop.remove());

function review(said = "pass", ...more: string[]) {
  const gates = { "prose/calm": said, "prose/claims": said };
  const reviews = Object.fromEntries(
    ["hours", "prices"].map((name) => [`notes/${name}.md`, gates]),
  );
  shop.write("reviews.json", JSON.stringify({ reviews }));
  return shop.notes("review", ...byScript, ...more);
}
const status = () => shop.json("status", ...byScript);
const staleGates = async () => (await status()).stale.map((one: { gate: string }) => one.gate);

describe("a change that a judge never sees", () => {
  it("asks only the gates that need a trait when a trait is added", async () => {
    await review();
    shop.note("hours", "We open at eight.", "traits: [claim]");
    expect(await staleGates()).toEqual(["prose/claims"]);
    await review();
    shop.note("hours", "We open at eight.", "traits: [claim, seasonal]");
    expect(await status()).toMatchObject({ stale: [], trivial: 2 });
  });

  it("asks nothing when the description of a gate changes, and everything when its text does", async () => {
    await review();
    shop.gate("prose/calm", "Fail what shouts.", "description: Shouting in a note");
    expect(await status()).toMatchObject({ stale: [], trivial: 2 });
    shop.gate("prose/calm", "Fail what shouts or whispers.", "description: Shouting in a note");
    expect(await staleGates()).toEqual(["prose/calm", "prose/calm"]);
  });
});

describe("paths", () => {
  it("are typed and printed from the working folder", async () => {
    await review("fail");
    const script = ["--script", "../reviews.json"];
    const explain = ["status", "--explain", "hours.md:prose/calm"];
    const explained = await shop.notesIn("notes", ...explain, ...script);
    expect(explained.out).toContain("hours.md:prose/calm");
    expect(explained.out.replaceAll(/\s+/g, " ")).toMatch(
      / fresh: neither note \w{10} nor gate \w{10} has changed since the verdict; verdict: fail, from a full review/,
    );
    expect((await shop.notesIn("notes", "warns")).out).toMatch(/^hours\.md$/m);
    const over = ["--to", "pass", "--reason", "a sign", ...script];
    expect((await shop.notesIn("notes", "override", "hours.md:prose/calm", ...over)).code).toBe(0);
    shop.note("hours", "We open at nine.");
    const listed = (await shop.notesIn("notes", "status", ...script)).out;
    expect(listed).toMatch(/^hours\.md$/m);
    const ack = ["--reason", "only the hour", ...script];
    expect((await shop.notesIn("notes", "ack", "hours.md:prose/calm", ...ack)).out).toContain(
      "1 pair.",
    );
    const wrong = await shop.notesIn("notes", "status", "--explain", "notes/hours.md:prose/calm");
    expect(wrong).toMatchObject({ code: 2 });
  });

  it("outside the roots are named by mv, which says that they are no notes any more", async () => {
    const moved = await shop.notes("mv", "notes/hours.md", "archive/hours.md");
    expect(moved.out).toContain("archive/hours.md is outside notes.roots (notes)");
    expect((await shop.notes("mv", "notes/hours.md", "notes/old.md")).out).not.toContain("outside");
  });
});

describe("sentences", () => {
  it("count one of a thing as one", async () => {
    shop.git("rm", "--quiet", "notes/prices.md");
    const text = [
      await review("fail", "--plan"),
      await review("fail"),
      await shop.notes("check", ...byScript),
      await shop.notes("check", ...byScript, "--format", "junit"),
      await shop.notes("export"),
      await shop.notes("lock"),
      await shop.notes("mv", "notes/hours.md", "notes/times.md"),
      await shop.notes("prompt", "notes/hours.md", "--model", "gpt-5", "--allow-dirty-gates"),
    ];
    for (const { out, err } of text)
      expect(`${out}${err}`).not.toMatch(
        /(?<![\d,.])1 (?:pairs|reviews|acceptances|lines|findings|calls|notes|gates|run pairs)/,
      );
  });

  it("say why there is nothing to acknowledge, override or ask", async () => {
    await review();
    const said = async (...args: string[]) => (await shop.notes(...args, ...byScript)).out;
    const pair = "notes/hours.md:prose/calm";
    expect(await said("ack", pair, "--reason", "x")).toBe(
      "Nothing to acknowledge: every pair named is fresh.\n",
    );
    expect(await said("override", pair, "--to", "pass", "--reason", "x")).toBe(
      "Nothing to override: the verdict is pass already.\n",
    );
    expect(await said("review", "--plan")).toBe("No pair needs a call.\nNothing was asked.\n");
  });

  it("of check --format github are one line each, on both streams", async () => {
    const { out, err } = await shop.notes("check", ...byScript, "--format", "github");
    expect(out.trimEnd().split("\n")).toHaveLength(2);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  it("name the command that helps when only undecided pairs are left", async () => {
    const vague = "I cannot say.";
    await review(vague);
    expect((await shop.notes("status", ...byScript)).out).toContain("Next: signoff notes review");
    await review(vague);
    expect((await shop.notes("status", ...byScript)).out).toContain(
      "Next: signoff notes review --retry-undecided",
    );
  });
});

describe("the first status of a large repository", () => {
  it("fits on a screen, and --all lists every pair", async () => {
    for (let at = 0; at < 60; at += 1) shop.note(`n${at}`, "A note.");
    for (let at = 0; at < 12; at += 1) shop.gate(`prose/g${at}`, "Fail what shouts.");
    const first = await shop.notes("status");
    expect(first.out.split("\n").length).toBeLessThanOrEqual(24);
    expect(first.out).toContain("62 notes × 14 gates, 806 pairs that apply");
    expect(first.out).toMatch(/13 missing-review/);
    expect((await shop.notes("status", "--all")).out.split("\n").length).toBeGreaterThan(806);
  });
});
