import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Asked, openModelServer } from "../support/model-servers.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { inFolder, listRuns, runSignoff, writeScript } from "../support/signoff-process.ts";
import { sparePort } from "../support/spare-port.ts";
import { operateOnStore } from "../support/store-surgery.ts";

const claim = `---
id: claim
title: Advertising claim
reply: plain
approval: phrase
reviewers:
  - brand
  - { name: legal, model: "ollama/lawyer:1" }
---

## Writer

Write one claim.

## Reviewer

Is it short?

## Reviewer: brand

You lead the brand. Does it sound like us?

## Reviewer: legal

You are a lawyer. Can every word be proven?
`;

async function withClaim<T>(story: (cwd: string) => Promise<T>): Promise<T> {
  return inFolder(async (cwd) => {
    await mkdir(join(cwd, "signoff", "recipes"), { recursive: true });
    await writeFile(join(cwd, "signoff.yaml"), "version: 1\n");
    await writeFile(join(cwd, "signoff", "recipes", "claim.md"), claim);
    return story(cwd);
  });
}

const modelOf = ({ seen }: Asked) => (seen.json as { readonly model: string }).model;

describe("the panel of a recipe", () => {
  it("gives each member its role, its criteria and its model, and reports who said what", async () => {
    await withClaim(async (cwd) => {
      const isLawyer = (asked: Asked) => asked.seen.text.includes("You are a lawyer.");
      const server = await openModelServer({
        offers: ["mistral:latest", "lawyer:1", "counsel:1"],
        story: { writer: ["Sip clean."], reviewer: ["SHIP IT!"] },
        instead: (asked, response) => {
          if (!asked.isReview || !isLawyer(asked)) return false;
          ollamaWire.send(response, { parts: ["“Clean” cannot be proven."] });
          return true;
        },
      });
      const env = { OLLAMA_BASE_URL: server.url };
      const draft = ["draft", "water bottles", "-r", "claim", "--max-turns", "1", "--json"];
      const { stdout } = await runSignoff(draft, { cwd, env });
      const session = JSON.parse(stdout);
      expect(session.turns[0]).toMatchObject({
        vote: { rule: "all", approved: ["brand"], objected: ["legal"], absent: [] },
        review: { issues: [{ reviewer: "legal", message: "“Clean” cannot be proven." }] },
      });
      const [brand, legal] = [false, true].map((isLegal) =>
        server.asked.find((asked) => asked.isReview && isLawyer(asked) === isLegal),
      );
      expect(brand && modelOf(brand)).toBe("mistral:latest");
      expect(legal && modelOf(legal)).toBe("lawyer:1");
      expect(brand?.seen.text).toContain("You lead the brand.");
      expect(legal?.seen.text).not.toContain("You lead the brand.");
      for (const each of [brand, legal]) expect(each?.seen.text).toContain("Is it short?");
      await runSignoff([...draft, "--reviewer", "legal=ollama/counsel:1"], { cwd, env });
      expect(server.asked.map(modelOf)).toContain("counsel:1");
    });
  });

  it("cannot be changed by naming a reviewer it does not have", async () => {
    await withClaim(async (cwd) => {
      const args = ["draft", "water bottles", "-r", "claim", "--reviewer", "lawyer=offline/rules"];
      const { code, stderr } = await runSignoff(args, { cwd });
      expect(code).toBe(2);
      expect(stderr.replace(/\s+/gu, " ")).toContain(
        'reviewer "lawyer" is not on the panel of the recipe claim, which has brand, legal',
      );
    });
  });
});

const flat = (text: string) => text.replace(/\s+/gu, " ");

describe("a draft that a script decided", () => {
  it("is marked as that wherever it is shown, approved or not", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, { creator: ["Sip clean."], reviewer: ["SHIP IT!"] });
      const args = ["draft", "water bottles", "--script", script];
      const drafted = await runSignoff(args, { cwd });
      const why = "decided by a script, not by a model";
      expect(flat(drafted.stdout)).toContain(`writer and reviewer both signed; ${why}.`);
      expect(drafted.stderr).toMatch(/^Drafting with a script /u);
      const [run] = await listRuns({ cwd });
      expect(run).toMatchObject({ outcome: "approved", deciders: ["scripted"] });
      const id = run?.run_id ?? "";
      const show = (...more: string[]) => runSignoff(["runs", "show", id, ...more], { cwd });
      expect(flat((await show()).stdout)).toContain(why);
      expect(JSON.parse((await show("--json")).stdout)).toMatchObject({ deciders: ["scripted"] });
      expect((await runSignoff(["runs", "list"], { cwd })).stdout).toContain("approved (script)");
      const record = join(cwd, ".signoff", "runs", id, "record.md");
      expect(await readFile(record, "utf8")).toContain(why);
    });
  });
});

describe("a draft that a person ruled on", () => {
  it("is approved everywhere once a person approved it", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, { creator: ["Sip."], reviewer: ["Too short."] });
      const draft = ["draft", "water bottles", "--script", script, "--max-turns", "1", "--json"];
      const { run_id: id } = JSON.parse((await runSignoff(draft, { cwd })).stdout);
      const act = ["runs", "approve", id, "--reason", "Short is good.", "--by", "Ada"];
      expect((await runSignoff(act, { cwd })).code).toBe(0);
      expect(await listRuns({ cwd })).toMatchObject([
        { outcome: "approved", ruled_by: "Ada", deciders: ["person"] },
      ]);
      const listed = await runSignoff(["runs", "list"], { cwd });
      const shown = await runSignoff(["runs", "show", id], { cwd });
      const record = await readFile(join(cwd, ".signoff", "runs", id, "record.md"), "utf8");
      for (const text of [listed.stdout, shown.stdout, record]) {
        expect(text).toMatch(/approved by Ada/iu);
        expect(text).not.toMatch(/not approved|without approval/u);
      }
      const session = JSON.parse(
        (await runSignoff(["runs", "show", id, "--json"], { cwd })).stdout,
      );
      expect(session).toMatchObject({
        completion_reason: "max_turns",
        outcome: "approved",
        succeeded: true,
        final_text: "Sip.",
        ruling: { act: "approve", by: "Ada", reason: "Short is good." },
      });
      const inbox = await runSignoff(["inbox", "--json"], { cwd });
      expect(JSON.parse(inbox.stdout)).toEqual({ items: [], next_cursor: null });
      expect((await runSignoff(["doctor"], { cwd })).stdout).toContain("No problems found.");
    });
  });

  it("is not approved any more once a person wants changes", async () => {
    await inFolder(async (cwd) => {
      const replies = { creator: ["Sip.", "Sip clean."], reviewer: ["SHIP IT!"] };
      const script = await writeScript(cwd, replies);
      const draft = ["draft", "water bottles", "--script", script, "--json"];
      const { run_id: id } = JSON.parse((await runSignoff(draft, { cwd })).stdout);
      await runSignoff(["runs", "request-changes", id, "--comment", "Longer.", "--by", "Ada"], {
        cwd,
      });
      const first = (await listRuns({ cwd })).find(({ run_id }) => run_id === id);
      expect(first).toMatchObject({ outcome: "changes_requested", ruled_by: "Ada" });
      const named = await runSignoff(["verify", id], { cwd });
      expect(named.code).toBe(1);
      expect(flat(named.stdout)).toContain("Ada requested changes: Longer. The run that continues");
      expect((await runSignoff(["verify"], { cwd })).stdout).not.toContain(id);
    });
  });
});

describe("signoff verify", () => {
  it("proves a draft from its replies, by its id or the start of it, and refuses an edited one", async () => {
    await inFolder(async (cwd) => {
      const replies = { creator: ["Sip.", "Sip clean."], reviewer: ["Too short.", "SHIP IT!"] };
      const script = await writeScript(cwd, replies);
      const draft = ["draft", "water bottles", "--script", script, "--json"];
      const { run_id: id } = JSON.parse((await runSignoff(draft, { cwd })).stdout);
      const verify = (what: string) => runSignoff(["verify", what], { cwd });
      for (const what of [id, id.slice(0, 8), "draft"]) {
        const { code, stdout } = await verify(what);
        expect([what, code]).toEqual([what, 0]);
        expect(flat(stdout)).toMatch(/proven .* signed in turn 2 Note: decided by a script/u);
      }
      operateOnStore(cwd, "UPDATE calls SET reply = 'SHIP IT!' WHERE reply = 'Too short.'");
      const { code, stdout } = await verify(id);
      expect(code).toBe(1);
      const why = "The review of turn 1 by the reviewer does not follow from the recorded replies.";
      const command = "signoff draft 'water bottles' --recipe slogan --new";
      expect(flat(stdout)).toContain(`${why} $ ${command}`);
      expect(flat((await runSignoff(["runs", "show", id], { cwd })).stdout)).toContain(why);
      const doctor = await runSignoff(["doctor"], { cwd });
      expect(doctor.code).toBe(1);
      expect(flat(doctor.stdout)).toContain("does not fit its evidence");
    });
  });
});

/** With a clock that does not move there is no wait between two attempts. */
const patient = { SIGNOFF_FIXED_TIME: "2026-11-15T12:00:00.000Z" };

describe("the settings of a draft", () => {
  it("given by flag are kept with the run, so that the printed command resumes it", async () => {
    await inFolder(async (cwd) => {
      const port = await sparePort();
      const url = `http://127.0.0.1:${port}`;
      const flags = ["--model", "mistral", "--base-url", url, "--retries", "1", "--timeout", "7"];
      const draft = ["draft", "water bottles", ...flags];
      const down = await runSignoff(draft, { cwd, env: patient });
      expect(down.code).toBe(5);
      expect(down.stdout).not.toMatch(/^ {2}record /mu);
      const [, command = ""] = /next {2,}signoff (runs resume [0-9a-f-]+)/u.exec(down.stdout) ?? [];
      const server = await openModelServer({ port });
      const up = await runSignoff(command.split(" "), { cwd, env: patient });
      expect([up.code, server.asked.length]).toEqual([0, 4]);
      const verified = await runSignoff(["verify", "draft", "--json"], { cwd });
      expect(JSON.parse(verified.stdout)).toMatchObject({
        standings: [{ accepted: true, support: "proven", deciders: ["model"] }],
      });
    });
  });

  it("can be raised when it is resumed, and attempts without a reply are counted", async () => {
    await inFolder(async (cwd) => {
      let isSilent = true;
      const server = await openModelServer({ instead: () => isSilent });
      const env = { ...patient, OLLAMA_BASE_URL: server.url };
      const yaml = "version: 1\nlimits: { timeout: 1, retries: 2 }\n";
      await writeFile(join(cwd, "signoff.yaml"), yaml);
      const lost = await runSignoff(["draft", "water bottles"], { cwd, env });
      expect(lost.code).toBe(5);
      expect(flat(lost.stdout)).toContain("2 calls (2 without a reply)");
      expect(flat(lost.stdout)).toContain("sent nothing for 1 s. Allow more with --timeout");
      const id = /runs resume ([0-9a-f-]+)/u.exec(lost.stdout)?.[1] ?? "";
      isSilent = false;
      const resume = ["runs", "resume", id, "--timeout", "60", "--json"];
      const resumed = await runSignoff(resume, { cwd, env });
      expect(JSON.parse(resumed.stdout)).toMatchObject({
        outcome: "approved",
        usage: { calls: 6, unanswered: 2 },
      });
      const wrong = await runSignoff(["runs", "resume", id, "--timeout", "0"], { cwd, env });
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain("--timeout (flag): must be a number from 1 to 600");
    });
  });
});
