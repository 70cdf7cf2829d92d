import { expect, it } from "vitest";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { ExamineRun } from "./examine-run.ts";
import { verifyPacks } from "./verify-packs.ts";

const library = {
  folders: { names: async () => ["a", "b", "b.runs", "stage_agent_loops"] } as Partial<RunFolders>,
  outputFolder: "runs",
  storedFolders: async () => ["elsewhere/c", "runs/a"],
  recordedState: async () => undefined,
  known: new Map(),
} as unknown as Parameters<typeof verifyPacks>[0];

async function verified(isWanted: (folder: string) => boolean) {
  const examined: string[] = [];
  const examine: ExamineRun = async (folder) => {
    examined.push(folder);
    return folder === "runs/b" ? { kind: "none" } : { kind: "unknown", claimsAccepted: true };
  };
  const names = (await verifyPacks(library, examine, isWanted)).map(({ name }) => name);
  return { examined, names };
}

it("derives every current run where all are wanted", async () => {
  expect(await verified(() => true)).toEqual({
    examined: ["elsewhere/c", "runs/a", "runs/b"],
    names: ["elsewhere/c", "runs/a"],
  });
});

it("derives the run that is named, and no other", async () => {
  expect(await verified((folder) => folder === "runs/a")).toEqual({
    examined: ["runs/a"],
    names: ["runs/a"],
  });
  expect(await verified(() => false)).toEqual({ examined: [], names: [] });
});
