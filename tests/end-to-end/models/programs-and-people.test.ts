import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";
import { smallProgram } from "../../support/small-programs.ts";

const bottles = "eco-friendly water bottles";

/** A small `claude`: reads the prompt from standard input and answers in its envelope. */
const claude = `
prompt=$(cat)
echo "$* key=$OPENAI_API_KEY" >> "$HOME/calls"
case "$prompt" in
  *"The text under review"*) answer="SHIP IT!" ;;
  *) answer="Hydrate Green, Save Our Seas" ;;
esac
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":0.01,"usage":{"input_tokens":100,"output_tokens":7,"cache_read_input_tokens":20,"cache_creation_input_tokens":0},"modelUsage":{"claude-sonnet-4-5":{"outputTokens":7}}}' "$answer"
`;

/** The same without any figures. */
const silent = claude.replace(/,"total_cost_usd".*(?=\}')/u, "");

describe("a program as a model", () => {
  it("writes and reviews: its own figures, no tools, and no secret that is not its own", async () => {
    await inFolder(async (cwd) => {
      const bin = join(cwd, "bin");
      const home = join(cwd, "home");
      await mkdir(bin);
      await mkdir(home);
      await symlink(await smallProgram(claude), join(bin, "claude"));
      const env = {
        PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: home,
        OPENAI_API_KEY: "sk-not-for-claude",
      };
      const args = ["draft", bottles, "--model", "command/claude", "--json"];
      const ended = await runSignoff(args, { cwd, env });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(ended.stdout)).toMatchObject({
        final_slogan: "Hydrate Green, Save Our Seas",
        model_name: "command/claude",
        usage: { calls: 2, input_tokens: 240, cached_input_tokens: 40, micro_usd: 20_000 },
      });
      const calls = (await readFile(join(home, "calls"), "utf8")).trim().split("\n");
      expect(calls).toHaveLength(2);
      for (const call of calls) expect(call).toMatch(/^-p --output-format json --tools .* key=$/u);
    });
  });

  it("may be an agent that speaks ACP; what it says is recorded, and a missing one is named", async () => {
    await inFolder(async (cwd) => {
      const agent = [process.execPath, join(import.meta.dirname, "../../support/acp-agent.mjs")];
      const commands = {
        helper: { argv: agent, reads: "acp" },
        gone: { argv: ["no-such-agent"], reads: "acp" },
      };
      await writeFile(join(cwd, "signoff.yaml"), JSON.stringify({ version: 1, commands }));
      const draft = (model: string, ...more: readonly string[]) =>
        runSignoff(["draft", bottles, "--model", model, "--max-turns", "1", ...more], { cwd });
      expect(await draft("command/helper")).toMatchObject({ code: 2 });
      const ended = await draft("command/helper", "--trust", "--json");
      expect(ended.code).toBe(1);
      const session = JSON.parse(ended.stdout);
      expect(session.turns[0].slogan).toContain("You asked:");
      expect(session.usage).toMatchObject({ calls: 2, input_tokens: null, micro_usd: 0 });
      const missing = await draft("command/gone", "--trust");
      expect(missing.code).toBe(5);
      expect(missing.stderr.replace(/\s+/gu, " ")).toContain(
        "The program no-such-agent was not found",
      );
    });
  });

  it("that says nothing of tokens costs nothing, in every total, and its tokens stay unknown", async () => {
    await inFolder(async (cwd) => {
      await symlink(await smallProgram(silent), join(cwd, "claude"));
      const env = { PATH: `${cwd}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: cwd };
      const run = async (...args: string[]) => (await runSignoff(args, { cwd, env })).stdout;
      const drafted = await run("draft", bottles, "--model", "command/claude");
      expect(drafted.replace(/\s+/gu, " ")).toContain("2 calls · tokens unknown · $0");
      const unknown = { input_tokens: null, output_tokens: null, micro_usd: 0 };
      const { runs } = JSON.parse(await run("runs", "list", "--json"));
      expect(runs[0].spent).toMatchObject({ tokens: null, micro_usd: 0 });
      expect(JSON.parse(await run("runs", "show", runs[0].run_id, "--json"))).toMatchObject({
        usage: unknown,
      });
      expect(JSON.parse(await run("runs", "stats", "--json")).drafts).toMatchObject([unknown]);
    });
  });

  it("that is not installed is exit 5 with what to do", async () => {
    await inFolder(async (cwd) => {
      const ended = await runSignoff(["draft", bottles, "--model", "command/codex"], { cwd });
      expect(ended.code).toBe(5);
      expect(ended.stdout.replace(/\s+/gu, " ")).toContain("codex was not found");
    });
  });
});

describe("an agent outside as a model", () => {
  it("is asked by a file, answers by a file, and the run goes on each time", async () => {
    await inFolder(async (cwd) => {
      const run = (...args: string[]) => runSignoff(args, { cwd, env: { SIGNOFF_USER: "Anna" } });
      const asked = await run("draft", bottles, "--model", "live-agent/editor", "--json");
      expect(asked.code).toBe(3);
      const waiting = async () => {
        const { stdout } = await run("inbox", "--json");
        const { items } = JSON.parse(stdout) as { items: readonly { id: string; text: string }[] };
        const [item] = items;
        if (item === undefined) throw new Error("nothing waits");
        const path = /asked in (\S+)\. /u.exec(item.text)?.[1] ?? "";
        return { id: item.id, prompt: await readFile(join(cwd, path), "utf8") };
      };
      const first = await waiting();
      expect(first.prompt).toContain(bottles);
      expect(first.prompt).not.toContain("under review");
      expect((await run("inbox", "answer", first.id)).code).toBe(2);
      await writeFile(join(cwd, "answer.md"), "Hydrate Green, Save Our Seas\n");
      const reviewed = await run("inbox", "answer", first.id, "--text-file", "answer.md");
      expect(reviewed.code).toBe(3);
      const second = await waiting();
      expect(second.prompt).toContain("Hydrate Green, Save Our Seas");
      await writeFile(join(cwd, "answer.md"), "SHIP IT!");
      const done = await run("inbox", "answer", second.id, "--text-file", "answer.md", "--json");
      expect(done.code).toBe(0);
      expect(JSON.parse(done.stdout)).toMatchObject({
        completion_reason: "approved",
        final_slogan: "Hydrate Green, Save Our Seas",
        usage: { calls: 2 },
      });
      const again = await run("inbox", "answer", second.id, "--text-file", "answer.md");
      expect(again.code).not.toBe(0);
    });
  });
});
