import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../program.ts";
import type { CliContext } from "./cli-context.ts";

/** The message and hint for these words. */
async function refusalOf(...words: string[]): Promise<string> {
  const program = createProgram(new Command("signoff"), {} as CliContext, words[0]);
  const error = await program.parseAsync(words, { from: "user" }).then(
    () => undefined,
    (reason: Error & { hint?: string }) => reason,
  );
  return `${error?.message} / ${error?.hint}`;
}

describe("a command line that cannot be read", () => {
  it.each([
    ["pack run pack.yaml", "--manifest pack.yaml"],
    ["stage run stage.yaml", "--manifest stage.yaml"],
    ["scenario run chain.yaml", "--manifest chain.yaml"],
    ["trust stage.yaml", "--manifest stage.yaml"],
    ["episode init ep_012", "--episode-id ep_012"],
    ["episode add talk.vtt", "--transcript talk.vtt"],
    ["episode review slug", "--asset-id slug"],
    ["notes ingest 7", "--run 7"],
    ["notes import store.sqlite", "--from store.sqlite"],
  ])("%s is answered with the flag that was left out", async (line, flag) => {
    expect(await refusalOf(...line.split(" "))).toContain(`Did you mean \`${flag}\`?`);
  });

  it("quotes the value as a shell reads it", async () => {
    expect(await refusalOf("pack", "run", "my pack.yaml")).toContain("--manifest 'my pack.yaml'");
  });

  it("suggests no flag that would refuse the value", async () => {
    expect(await refusalOf("worker", "north")).not.toContain("Did you mean");
    expect(await refusalOf("worker", "4")).toContain("Did you mean `--concurrency 4`?");
  });

  it("names the nearest subcommand, also of a command that works without one", async () => {
    expect(await refusalOf("drfat")).toBe(
      "Unknown command 'drfat' / Did you mean draft? See `signoff --help`.",
    );
    expect(await refusalOf("demo", "asistant")).toBe(
      "Unknown command 'asistant' / Did you mean assistant? See `signoff demo --help`.",
    );
    expect(await refusalOf("inbox", "anwser", "q")).toBe(
      "Unknown command 'anwser' / Did you mean answer? See `signoff inbox --help`.",
    );
  });

  it("names the nearest flag and the help of this command", async () => {
    expect(await refusalOf("draft", "a bottle", "--max-turn", "3")).toBe(
      "Unknown option '--max-turn' / Did you mean --max-turns? See `signoff draft --help`.",
    );
    expect(await refusalOf("runs", "show")).toBe(
      "Missing required argument 'run' / See `signoff runs show --help`.",
    );
  });
});
