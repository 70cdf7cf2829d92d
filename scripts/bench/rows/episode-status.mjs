import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEpisodeFolder } from "../../../dist/src/adapters/workspace/episode-folder.js";
import { assetKinds } from "../../../dist/src/domain/episodes/asset-kind.js";
import { describeEpisode } from "../../../dist/src/domain/episodes/episode-status.js";
import { addInputs } from "../../../dist/src/orchestration/episodes/add-inputs.js";
import { chunkEpisode } from "../../../dist/src/orchestration/episodes/chunk-episode.js";
import { candidateFiles } from "../../../dist/src/orchestration/episodes/episode-files.js";
import {
  assetWithDisk,
  currentState,
  stateFile,
} from "../../../dist/src/orchestration/episodes/episode-state.js";
import { surveyEpisode } from "../../../dist/src/orchestration/episodes/survey-episode.js";
import { transcriptOf } from "./episode-chunking.mjs";

const at = "2026-03-02T08:00:00.000Z";
const rounds = 5;

/** Looking at a workspace with 2,000 candidates, and with a ten-hour transcript, each against a tenth of it. */
export async function episodeStatus() {
  const [few, many] = [await surveying(1, 200), await surveying(1, 2_000)];
  const [short, long] = [await surveying(1, 13), await surveying(10, 13)];
  const row = (figure, ours, small) => ({
    figure,
    unit: "ms",
    ours,
    bound: small * 10,
    boundIs: "ten times a tenth of it",
    target: 1.3,
  });
  const within = { unit: "ms", bound: 1000, boundIs: "a second", target: 1 };
  return [
    { figure: "status with 2,000 candidates", ours: many, ...within },
    { figure: "status of ten hours", ours: long, ...within },
    row("status with 2,000 candidates", many, few),
    row("status of ten hours", long, short),
  ];
}

async function surveying(hours, candidates) {
  const home = mkdtempSync(join(tmpdir(), "signoff-bench-"));
  try {
    const folder = await workspaceOf(join(home, "bread"), hours, candidates);
    const times = [];
    for (let round = 0; round <= rounds; round += 1) {
      const began = performance.now();
      describeEpisode(await surveyEpisode(folder));
      times.push(performance.now() - began);
    }
    return Math.min(...times.slice(1));
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function workspaceOf(path, hours, candidates) {
  const folder = await createEpisodeFolder(path, { episodeId: "bread", createdAt: at });
  const inputs = { transcript: transcriptOf(hours), hosts: [], tracks: [] };
  await addInputs(folder, inputs, at);
  await chunkEpisode(folder);
  const files = Array.from({ length: candidates }, (_, index) => {
    const assetId = assetKinds[index % assetKinds.length];
    const candidateId = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const content = `Draft ${index}: slow bread had time to rise.`;
    const made = { candidateId, assetId, format: "plain", content, createdAt: at, provenance: [] };
    return candidateFiles(made);
  });
  await folder.write(files.flat());
  let state = await currentState(folder, at);
  for (const assetId of assetKinds) {
    const asset = await assetWithDisk(folder, state, assetId);
    const file = stateFile(state, asset);
    await folder.write([file]);
    state = await currentState(folder, at);
  }
  return folder;
}
