import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Asked, openModelServer } from "../support/model-servers.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { inFolder, runSignoff } from "../support/signoff-process.ts";

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
