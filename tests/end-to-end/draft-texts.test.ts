import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openModelServer } from "../support/model-servers.ts";
import { type EndedProcess, inFolder, runSignoff } from "../support/signoff-process.ts";

const paragraph = "The night train leaves Hendaye at ten and is in Lisbon for breakfast. ";
const facts = "Fares start at 39 euros. A compartment sleeps four.";

const flat = (text: string) => text.replace(/\s+/gu, " ");

async function withModel(
  story: (
    cwd: string,
    draft: (args: readonly string[], input?: string) => Promise<EndedProcess>,
    asked: () => readonly { readonly text: string; readonly isReview: boolean }[],
  ) => Promise<void>,
  options: Parameters<typeof openModelServer>[0] = {},
): Promise<void> {
  await inFolder(async (cwd) => {
    const server = await openModelServer({
      story: { writer: ["Sleep to Lisbon"], reviewer: ["SHIP IT!"] },
      contextTokens: 131_072,
      ...options,
    });
    const flags = ["--model", "mistral", "--base-url", server.url];
    const run = (args: readonly string[], input?: string) =>
      runSignoff([...args, ...flags], { cwd, ...(input === undefined ? {} : { input }) });
    const asked = () =>
      server.asked.map(({ seen, isReview }) => {
        const { messages } = seen.json as { messages: readonly { readonly content: string }[] };
        return { text: messages.map(({ content }) => content).join("\n"), isReview };
      });
    await story(cwd, run, asked);
  });
}

describe("the brief of a draft", () => {
  it.each([
    ["standard input", ["-"], true],
    ["@file", ["@brief.md"], false],
    ["a path", ["brief.md"], false],
    ["--brief-file", ["--brief-file", "brief.md"], false],
  ])("comes from %s", async (_from, args, isPiped) => {
    await withModel(async (cwd, run, asked) => {
      await writeFile(join(cwd, "brief.md"), `${paragraph}\n`);
      await writeFile(join(cwd, "fares.txt"), facts);
      const more = ["--context", "fares.txt", "-o", "made/slogan.txt", "--record", "record.md"];
      const ended = await run(["draft", ...args, ...more], isPiped ? paragraph : undefined);
      expect(ended).toMatchObject({ code: 0 });
      for (const { text } of asked()) {
        expect(text).toContain(paragraph.trim());
        expect(text).toContain(`"fares.txt":\n\n\`\`\`material\n${facts}`);
      }
      expect(await readFile(join(cwd, "made/slogan.txt"), "utf8")).toBe("Sleep to Lisbon\n");
      expect(await readFile(join(cwd, "record.md"), "utf8")).toContain("# slogan: approved");
    });
  });

  it("may have 200 kB where the model reads that much, and is refused unpaid where not", async () => {
    const long = paragraph.repeat(Math.ceil(200_000 / paragraph.length));
    await withModel(
      async (_cwd, run, asked) => {
        expect(await run(["draft", "-", "--quiet"], long)).toMatchObject({ code: 0 });
        expect(asked().every(({ text }) => text.includes(long.trim()))).toBe(true);
      },
      { reported: { input: 50_000 } },
    );
    await withModel(
      async (cwd, run, asked) => {
        const refused = await run(["draft", "-"], long);
        expect(refused).toMatchObject({ code: 2, stdout: "" });
        expect(flat(refused.stderr)).toMatch(
          /has 20\d,\d{3} bytes, at least 4\d,\d{3} tokens.*ollama\/mistral:latest has room for 8,192/u,
        );
        expect(asked()).toEqual([]);
        expect(existsSync(join(cwd, ".signoff"))).toBe(false);
      },
      { contextTokens: 8_192 },
    );
  });

  it.each<[string, readonly string[], RegExp]>([
    ["a path that leads nowhere", ["notes/brief.md"], /There is no file notes\/brief\.md/u],
    ["a missing @file", ["@brief.txt"], /There is no file brief\.txt/u],
    ["a folder", ["."], /\. is a folder/u],
    ["an empty file", ["empty.md"], /empty\.md holds no text/u],
    ["a picture", ["photo.png"], /photo\.png is not a text in UTF-8/u],
    ["two briefs", ["a night train", "--brief-file", "empty.md"], /given twice/u],
    ["two uses of standard input", ["-", "--context", "-"], /Only one text/u],
    [
      "a brief that --context took",
      ["--context", "empty.md", "a night train"],
      /no brief.*before/u,
    ],
    ["a missing material", ["a night train", "--context", "fares.md"], /no file fares\.md/u],
    [
      "a missing text",
      ["a night train", "--from", "mine.md"],
      /no file mine\.md\. Give the path of a text file\.\s*$/u,
    ],
    ["a file of no known kind", ["a night train", "-o", "made.xyz"], /unknown file extension/u],
    ["of no recipe", ["a night train", "--recipe", "slogn"], /no recipe "slogn".*slogan/u],
    ["for no model", ["a night train", "--reviewer-model", "nope/x"], /"nope" is not a provider/u],
    [
      "for a provider without a key",
      ["a night train", "--reviewer-model", "openai/gpt-5"],
      /no key for OpenAI\. Set OPENAI_API_KEY/u,
    ],
    [
      "for a model that is not installed",
      ["a night train", "--reviewer-model", "ollama/unheard-of"],
      /unheard-of/u,
    ],
    ["a record of another kind", ["a night train", "--record", "r.pdf"], /ends in \.md/u],
    ["no brief", [], /There is no brief.*`signoff draft "a night train to Lisbon"`/u],
  ])("is not drafted about when it is %s", async (_what, args, words) => {
    await withModel(async (cwd, run, asked) => {
      await writeFile(join(cwd, "empty.md"), " \n");
      await writeFile(join(cwd, "photo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]));
      const refused = await run(["draft", ...args], "");
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(flat(refused.stderr)).toMatch(words);
      expect(asked()).toEqual([]);
      expect(existsSync(join(cwd, ".signoff"))).toBe(false);
    });
  });
});

describe("a slogan", () => {
  it("is written without the marks that models put around it, in as many tokens as a recipe may allow", async () => {
    const story = { writer: ["**Sleep to Lisbon**"], reviewer: ["SHIP IT!"] };
    await withModel(
      async (_cwd, run) => {
        const args = ["draft", "a night train", "--max-tokens", "32000", "-o", "-"];
        expect(await run(args)).toMatchObject({ code: 0, stdout: "Sleep to Lisbon\n" });
      },
      { story },
    );
  });

  it("is shown with the drafts that were not kept", async () => {
    const story = {
      writer: ["Sleep to Lisbon", "Wake in Lisbon"],
      reviewer: ["Say how.", "SHIP IT!"],
    };
    await withModel(
      async (cwd, run) => {
        const args = ["draft", "a night train", "--candidates", "2", "--record", "r.md", "--json"];
        const session = JSON.parse((await run(args)).stdout);
        const [kept, lost] =
          session.final_text === "Sleep to Lisbon"
            ? ["Sleep to Lisbon", "Wake in Lisbon"]
            : ["Wake in Lisbon", "Sleep to Lisbon"];
        expect(session).toMatchObject({ final_text: kept, turns: [{ losers: [{ text: lost }] }] });
        const record = await readFile(join(cwd, "r.md"), "utf8");
        expect(record).toContain(`A draft that was not kept: changes_requested\n\n> ${lost}`);
        const shown = await runSignoff(["runs", "show", session.run_id], { cwd });
        expect(shown.stdout).toContain(`not kept   ${lost}`);
      },
      { story },
    );
  });
});

describe("a text of the user's own", () => {
  it("is reviewed first and left as it is when it is approved", async () => {
    await withModel(async (cwd, run, asked) => {
      await writeFile(join(cwd, "mine.txt"), "Wake up in Lisbon\n");
      const args = ["draft", "a night train", "--from", "mine.txt", "-o", "-"];
      expect(await run(args)).toMatchObject({ code: 0, stdout: "Wake up in Lisbon\n" });
      expect(asked().map(({ isReview }) => isReview)).toEqual([true]);
    });
  });

  it("is written on when the reviewer asks for it", async () => {
    const story = { writer: ["Sleep to Lisbon"], reviewer: ["Say how.", "SHIP IT!"] };
    await withModel(
      async (cwd, run, asked) => {
        await writeFile(join(cwd, "mine.txt"), "Wake up in Lisbon\n");
        const ended = await run(["draft", "--from", "mine.txt", "-o", "mine.txt"]);
        expect(ended.code).toBe(0);
        expect(asked().map(({ isReview }) => isReview)).toEqual([true, false, true]);
        expect(asked()[1]?.text).toContain("Wake up in Lisbon");
        expect(await readFile(join(cwd, "mine.txt"), "utf8")).toBe("Sleep to Lisbon\n");
      },
      { story },
    );
  });

  it("is not replaced by a draft that was not approved", async () => {
    const story = { writer: ["Sleep to Lisbon"], reviewer: ["Say how."] };
    await withModel(
      async (cwd, run) => {
        await writeFile(join(cwd, "mine.txt"), "Wake up in Lisbon\n");
        const args = ["draft", "--from", "mine.txt", "-o", "mine.txt", "--max-turns", "2"];
        const ended = await run(args);
        expect(ended.code).toBe(1);
        expect(flat(ended.stderr)).toContain("mine.txt was not written");
        expect(await readFile(join(cwd, "mine.txt"), "utf8")).toBe("Wake up in Lisbon\n");
      },
      { story },
    );
  });
});

describe("review", () => {
  it("approves or not, keeps the record, and asks no writer and no person", async () => {
    const story = { writer: ["unused"], reviewer: ["Say how.", "SHIP IT!"] };
    await withModel(
      async (cwd, run, asked) => {
        await writeFile(join(cwd, "mine.txt"), "Wake up in Lisbon\n");
        const args = ["review", "mine.txt", "--recipe", "slogan", "--brief", "a night train"];
        const not = await run([...args, "--record", "review.md"]);
        expect(not.code).toBe(1);
        expect(not.stdout).toContain("Not approved: the review asks for changes.");
        expect(await readFile(join(cwd, "review.md"), "utf8")).toContain("> Say how.");
        const id = /signoff runs show ([0-9a-f-]+)/u.exec(not.stdout)?.[1] ?? "";
        const changes = await runSignoff(["runs", "request-changes", id, "--comment", "Shorter"], {
          cwd,
        });
        expect(changes.code).toBe(2);
        expect(flat(changes.stderr)).toContain("only reviewed a text");
        const yes = await run([...args, "--json"]);
        expect(yes.code).toBe(0);
        expect(JSON.parse(yes.stdout)).toMatchObject({ outcome: "approved", deciders: ["model"] });
        expect(asked().map(({ isReview }) => isReview)).toEqual([true, true]);
        const inbox = await runSignoff(["inbox", "--json"], { cwd });
        expect(inbox.stdout).not.toContain(id);
        expect(await runSignoff(["verify"], { cwd })).toMatchObject({ code: 1 });
        const { run_id: accepted } = JSON.parse(yes.stdout) as { run_id: string };
        expect(await runSignoff(["verify", accepted], { cwd })).toMatchObject({ code: 0 });
      },
      { story },
    );
  });
});
