import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { readArtifact } from "../../contract/scenarios/artifacts.ts";
import { writeRunEvent } from "../../contract/scenarios/run-events.ts";
import { runId } from "../../domain/values/ids.ts";
import { createMemoryFolders } from "./memory-folders.ts";
import { createRunProjector } from "./run-projector.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const run = runId("0198c0de-0000-7000-8000-000000000001");

it("writes the files of a judged pack one after the other, and then the manifest that vouches for them", async () => {
  const { files, folders } = createMemoryFolders();
  const writes: string[][] = [];
  const write: typeof folders.write = async (folder, written) => {
    writes.push(written.map(({ name }) => name));
    await folders.write(folder, written);
  };
  const projector = createRunProjector({
    folders: { ...folders, write },
    digest,
    recorded: async () => undefined,
  });
  await folders.write("out", [{ name: "pack_manifest.json", content: "{}" }]);
  const state = {
    ...{ packId: "shop", title: "Shop", runId: run, finalStatus: "accepted" as const },
    ...{ acceptanceGatePassed: true, unresolvedP0Count: 0, reasons: [], scenarios: [] },
    ...{ repairTargets: [], specHash: "0".repeat(64) },
  };
  const judged = { folder: "out", specHash: state.specHash, repeat: 1, state, final: true };
  const event = { run, sequence: 1, at: "2026-01-05T06:00:00.000Z" };
  await projector.apply([{ ...event, ...writeRunEvent("pack-judged", judged) } as never]);

  expect(writes.map((names) => names.length)).toEqual(writes.map(() => 1));
  expect(writes.at(-1)).toEqual(["run_manifest.json"]);
  const manifest = readArtifact("run_manifest.json", files.get("out/run_manifest.json") ?? "");
  const vouched = [...writes.slice(0, -1).flat(), "pack_manifest.json"];
  const hashes = vouched.map((name) => [name, digest(files.get(`out/${name}`) ?? "")]);
  expect(manifest.files).toEqual(Object.fromEntries(hashes));
});
