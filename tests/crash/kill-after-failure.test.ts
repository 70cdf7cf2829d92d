import { describe, expect, it } from "vitest";
import { ledgerOf } from "../support/run-evidence.ts";
import { inFolder, listRuns, runSignoff, writeScript } from "../support/signoff-process.ts";

describe("a run that failed on unusable replies", () => {
  it("asks once more when resumed, however often the resuming process is killed", async () => {
    await inFolder(async (cwd) => {
      const silent = { creator: ["", ""], reviewer: ["SHIP IT!"] };
      const script = await writeScript(cwd, silent);
      const args = ["draft", "eco-friendly water bottles", "--script", script, "--json"];
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 5 });
      const [run] = await listRuns({ cwd });
      const id = run?.run_id ?? "";
      expect(await ledgerOf(cwd, id)).toHaveLength(2);
      await writeScript(cwd, { ...silent, creator: ["Hydrate Green, Save Our Seas"] });
      const killResumeAt = async (moment: string): Promise<void> => {
        const env = { SIGNOFF_STOP_AT: moment };
        const killed = await runSignoff(["runs", "resume", id], { cwd, env });
        expect(killed.signal).toBe("SIGKILL");
      };
      await killResumeAt("lease-taken");
      await killResumeAt("attempt-started");
      await killResumeAt("reply-recorded");
      const shown = await runSignoff(["runs", "show", id, "--json"], { cwd });
      expect(JSON.parse(shown.stdout)).toMatchObject({ completion_reason: null });
      await killResumeAt("run-ending");
      const ended = await runSignoff(args, { cwd });
      expect(ended.code).toBe(0);
      expect(JSON.parse(ended.stdout)).toMatchObject({ run_id: id, completion_reason: "approved" });
      const states = (await ledgerOf(cwd, id)).map(({ key, state }) => `${key} ${state}`);
      expect(states).toEqual([
        "turn/1/candidate/1/create replied",
        "turn/1/candidate/1/create lost",
        "turn/1/candidate/1/create replied",
        "turn/1/candidate/1/create/repair/1 replied",
        "turn/1/candidate/1/review/reviewer replied",
      ]);
    });
  });
});
