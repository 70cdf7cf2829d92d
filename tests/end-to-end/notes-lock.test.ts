import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NotesRepository } from "../support/notes-repository.ts";

let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  shop.note("hours", "The shop opens at seven.");
  shop.note("salt", "Salt is kept dry.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.write("signoff.yaml", "version: 1\n");
  shop.write(".gitignore", ".signoff/\nreviews.json\n");
  shop.commit();
});
afterEach(() => shop.remove());

const byScript = ["--script", "reviews.json"];
const review = (verdicts: Record<string, string>, ...more: string[]) => {
  const said = Object.entries(verdicts).map(([note, text]) => [
    `notes/${note}.md`,
    { "prose/calm": text },
  ]);
  shop.write("reviews.json", JSON.stringify({ reviews: Object.fromEntries(said) }));
  return shop.json("review", ...byScript, ...more);
};
const linesOf = (note: string) =>
  shop
    .read("signoff.lock")
    .split("\n")
    .filter((line) => line.startsWith(`notes/${note}.md\t`));
const check = (...more: string[]) => shop.json("check", ...byScript, ...more);

describe("the lock", () => {
  it("keeps a branch's line when the store knows another version", async () => {
    await review({ hours: "pass", salt: "pass" });
    shop.commit("Review");
    shop.git("checkout", "--quiet", "-b", "later");
    shop.note("hours", "The shop opens at eight.");
    await review({ hours: "fail", salt: "pass" });
    shop.commit("Open later");
    shop.git("checkout", "--quiet", "main");
    shop.note("salt", "Salt is kept in jars.");
    await review({ hours: "pass", salt: "pass" });
    expect(linesOf("hours")).toHaveLength(1);
    expect(await check()).toMatchObject({ passed: true, stale: 0 });
    shop.commit("Use jars");
    shop.git("merge", "--quiet", "--no-edit", "later");
    expect(await check()).toMatchObject({ stale: 0, failing: 1 });
    expect((await shop.json("status", ...byScript)).stale).toEqual([]);
  });

  it("never replaces a colleague's FAIL by a PASS for the same versions", async () => {
    await review({ hours: "fail", salt: "pass" });
    shop.commit("Review");
    rmSync(join(shop.root, ".signoff"), { recursive: true });
    const again = await review({ hours: "pass", salt: "pass" });
    expect(again).toMatchObject({ actual: { runs: 0 }, after: { failing: 1 } });
    expect(await check()).toMatchObject({ passed: false, failing: 1 });
    expect((await shop.notes("lock")).code).toBe(0);
    expect(linesOf("hours")[0]).toContain("\tfail\t");
  });

  it("merges two people's reviews without a conflict, and the worse of them counts", async () => {
    await review({ hours: "pass", salt: "pass" }, "--note", "notes/salt.md");
    shop.commit("Review salt");
    shop.git("checkout", "--quiet", "-b", "theirs");
    await review({ hours: "fail", salt: "pass" });
    shop.commit("They fail it");
    shop.git("checkout", "--quiet", "main");
    rmSync(join(shop.root, ".signoff"), { recursive: true });
    await review({ hours: "pass", salt: "pass" });
    shop.commit("We pass it");
    shop.git("merge", "--quiet", "--no-edit", "theirs");
    expect(linesOf("hours")).toHaveLength(2);
    expect(await check()).toMatchObject({ passed: false, failing: 1 });
    await shop.notes("lock");
    expect(linesOf("hours")).toHaveLength(1);
    expect(await check()).toMatchObject({ passed: false, failing: 1 });
  });

  it("of an earlier version keeps every pair fresh", async () => {
    await review({ hours: "pass", salt: "warn" });
    const old = shop.read("signoff.lock").replaceAll(/^((?:[^\t\n]*\t){7}[^\t\n]*)\t.*$/gm, "$1");
    shop.write("signoff.lock", old);
    expect(await check()).toMatchObject({ passed: true, pairs: 2, stale: 0 });
    shop.note("salt", "Salt is kept dry.", "status: archived");
    shop.gate("prose/calm", "Fail what shouts.", "description: A check\nx-owner: ada");
    expect(await shop.json("status", ...byScript)).toMatchObject({ trivial: 2, stale: [] });
    await shop.notes("lock");
    expect(await check()).toMatchObject({ passed: true, stale: 0 });
  });
});

describe("check", () => {
  it("fails for what it could not read, and names it", async () => {
    await review({ hours: "pass", salt: "pass" });
    shop.write("notes/broken.md", "---\ntags: [a\n---\n# Broken\n");
    writeFileSync(join(shop.root, "notes/latin.md"), Buffer.from("caf\xe9", "latin1"));
    symlinkSync("hours.md", join(shop.root, "notes/linked.md"));
    shop.write("notes/PRICES.MD", "# Prices\n");
    shop.write("signoff/gates/prose/LOUD.Md", "Fail what whispers.\n");
    shop.write("signoff/gates/README.MD", "What the gates ask.\n");
    shop.write("signoff.yaml", "version: 1\nnotes: { roots: [notes, wkii] }\n");
    const ran = await shop.notes("check", ...byScript);
    expect(ran.code).toBe(1);
    const said = ran.out.replaceAll(/\s+/g, " ");
    expect(said).toMatch(/notes\/broken\.md: line \d+: the front matter/);
    expect(said).toContain("notes/latin.md: the file is not-utf-8");
    expect(said).toContain("notes/linked.md: it is a symbolic link");
    expect(said).toContain("wkii: there is no such folder");
    for (const path of ["notes/PRICES.MD", "signoff/gates/prose/LOUD.Md"])
      expect(said).toContain(`${path}: its name does not end in .md in lower case`);
    expect(said).not.toContain("README.MD");
    shop.write(
      "signoff.yaml",
      "version: 1\nnotes: { roots: [notes], exclude: [notes/PRICES.MD] }\n",
    );
    expect((await shop.notes("check", ...byScript)).out).not.toContain("PRICES.MD");
  });

  it.each(["check", "status", "review"])("names a lock that is a folder: %s", async (command) => {
    shop.write("signoff.lock/kept.txt", "");
    const ran = await shop.notes(command, ...byScript);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("signoff.lock is a folder");
    expect(ran.err.replaceAll(/\s+/g, " ")).toContain("Move the folder elsewhere");
  });

  it("has nothing to say about nothing, with exit 2", async () => {
    shop.write("signoff.yaml", "version: 1\nnotes: { roots: [wkii] }\n");
    const ran = await shop.notes("check");
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("no notes below wkii");
    shop.write("signoff.yaml", "version: 1\nnotes: { gates: gtaes }\n");
    expect((await shop.notes("check")).code).toBe(2);
  });

  it("selects what changed: notes, gates and lines of the lock, and lists new rulings", async () => {
    await review({ hours: "pass", salt: "warn" });
    shop.commit("Review");
    const since = (...more: string[]) => check("--changed-since", "HEAD", ...more);
    expect(await shop.notes("check", "--changed-since", "HEAD", ...byScript)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing to check was selected."),
    });
    shop.write("signoff.lock", `${linesOf("salt")[0]}\n`);
    expect(await since()).toMatchObject({
      pairs: 1,
      stale: 1,
      findings: [{ note: "notes/hours.md" }],
    });
    shop.git("checkout", "--quiet", "signoff.lock");
    shop.gate("prose/calm", "Fail what shouts loudly.");
    expect(await since()).toMatchObject({ pairs: 2, stale: 2 });
    shop.git("checkout", "--quiet", "signoff/gates");
    shop.gate("prose/plain", "Fail what boasts.");
    expect(await since()).toMatchObject({ pairs: 2, stale: 2 });
    shop.git("mv", "signoff/gates/prose/calm.md", "signoff/gates/prose/loud.md");
    expect((await since()).findings).toContainEqual(
      expect.objectContaining({ rule: "gate-removed", note: "signoff/gates/prose/calm.md" }),
    );
    shop.git("reset", "--quiet", "--hard");
    rmSync(join(shop.root, "signoff/gates/prose/plain.md"), { force: true });
    await shop.notes(
      ..."override notes/salt.md:prose/calm --to pass --reason fine".split(" "),
      ...byScript,
    );
    expect(await since()).toMatchObject({
      passed: true,
      findings: [{ rule: "ruling", level: "note", message: expect.stringContaining("fine") }],
    });
  });

  it("holds a change to the verdicts that it deletes from the lock or improves there", async () => {
    await review({ hours: "pass", salt: "fail" });
    shop.commit("Review");
    const since = () => check("--changed-since", "HEAD");
    const failing = {
      passed: false,
      failing: 1,
      findings: expect.arrayContaining([
        expect.objectContaining({
          rule: "lock",
          level: "note",
          message: expect.stringContaining("a line that says fail was deleted"),
        }),
      ]),
    };
    const lock = shop.read("signoff.lock");
    shop.write("signoff.lock", lock.replace("\tfail\t", "\tpass\t"));
    expect(await since()).toMatchObject(failing);
    shop.write("signoff.lock", `${linesOf("hours")[0]}\n`);
    expect(await since()).toMatchObject(failing);
    shop.note("salt", "Salt is kept dry, in jars.");
    await review({ hours: "pass", salt: "pass" });
    expect(await since()).toMatchObject({ passed: true, failing: 0 });
  });

  it("lists every new vote and acknowledgement that outranks single verdicts", async () => {
    await review({ hours: "pass", salt: "fail" });
    shop.commit("Review");
    const since = () => check("--changed-since", "HEAD");
    const lock = shop.read("signoff.lock");
    const [failed = ""] = linesOf("salt");
    const passing = failed.replace("\tfail\t", "\tpass\t");
    const listed = (message: string) => ({
      passed: true,
      findings: [
        {
          rule: "lock",
          level: "note",
          note: "notes/salt.md",
          gate: "prose/calm",
          message: expect.stringContaining(message),
        },
      ],
    });
    shop.write("signoff.lock", `${lock}${passing.replace("full-review", "vote")}\n`);
    expect(await since()).toMatchObject(
      listed("pass, over a verdict of fail (attested: the lock does not hold the answers"),
    );
    shop.write("signoff.lock", `${lock}${passing.replace("full-review", "manual-ack")}\n`);
    expect(await since()).toMatchObject(
      listed("pass, over a verdict of fail (attested: signoff.rulings has no such"),
    );
    shop.write("signoff.lock", lock.replace(failed, passing.replace("full-review", "vote")));
    expect((await since()).findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("new vote in the lock") }),
    );
    shop.commit("Vote");
    expect((await since()).findings).toEqual([]);
  });

  it("does not let a single verdict make up for a vote that was deleted", async () => {
    await review({ hours: "pass", salt: "pass" });
    const [passed = ""] = linesOf("salt");
    const line = (decision: string, kind: string) =>
      `${passed.replace("\tpass\tfull-review\t", `\t${decision}\t${kind}\t`)}\n`;
    const others = `${linesOf("hours")[0]}\n`;
    shop.write("signoff.lock", others + line("fail", "vote"));
    shop.commit("Vote");
    shop.write("signoff.lock", others + line("fail", "full-review") + line("pass", "vote"));
    expect(await check("--changed-since", "HEAD")).toMatchObject({ passed: false, failing: 1 });
  });

  it("names settings that changed, which can take notes and gates out of the check", async () => {
    await review({ hours: "pass", salt: "fail" });
    shop.write(
      "signoff.yaml",
      "version: 1\nnotes: { roots: [notes] }\ndrafting: { max_turns: 3 }\n",
    );
    shop.commit("Settings");
    const since = () => check("--changed-since", "HEAD");
    shop.write(
      "signoff.yaml",
      "version: 1\nnotes: { roots: [notes] }\ndrafting: { max_turns: 4 }\n",
    );
    expect((await since()).findings).toEqual([]);
    const escaping = "notes: { roots: [notes], exclude: [notes/salt.md], allow_offline: true }";
    shop.write("signoff.yaml", `version: 1\n${escaping}\n`);
    expect((await since()).findings).toMatchObject([
      {
        rule: "settings",
        note: "signoff.yaml",
        level: "warning",
        message: expect.stringContaining("notes.allow_offline, notes.exclude changed"),
      },
    ]);
  });

  it("refuses gate keys it does not know, except x-… and the original's", async () => {
    await review({ hours: "pass", salt: "pass" });
    shop.gate(
      "prose/calm",
      "Fail what shouts.",
      "description: A check\nstaleness: changed\nx-a: 1",
    );
    expect(await check()).toMatchObject({ stale: 0 });
    shop.gate("prose/calm", "Fail what shouts.", "description: A check\nfaillevel: warn");
    const ran = await shop.notes("check", ...byScript);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("faillevel") });
  });
});
