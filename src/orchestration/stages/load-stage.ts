import { readStageEntry, readStageFacts } from "../../contract/stages/stage-record.ts";
import type { StageTerms } from "../../domain/stages/closing-gate.ts";
import { withoutStrangers } from "../../domain/stages/same-assistant.ts";
import type { StageEntry, StageEvent } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { foreignEntries } from "./foreign-findings.ts";
import { knownAddress } from "./known-address.ts";
import { evidenceIn, type StageReading, type StageState, type StoredReplay } from "./stage.ts";

/**
 * The state of the stage: what the store recorded, loops that ended without being recorded, and what every loop shows
 * when it is judged again. Reads only, so `status` uses it too.
 */
export async function loadStage(
  parts: StageReading,
  stage: { readonly folder: string; readonly terms?: StageTerms },
): Promise<StageState> {
  const { folder } = stage;
  const row = await parts.store?.read(({ stages }) => stages.load(folder));
  const facts = row && readStageFacts(row.facts);
  const recorded = row?.entries.map(readStageEntry) ?? [];
  const replays = await parts.replays(folder);
  const foreign = await foreignEntries(parts, folder, {
    isRecorded: row !== undefined,
    loops: knownLoops(recorded, replays),
  });
  const ended = unrecordedLoops(recorded, replays);
  const entries = [
    ...recorded,
    ...[...foreign, ...ended].map((entry, index) => ({
      ...entry,
      number: recorded.length + index + 1,
    })),
  ];
  const { history, changedFiles } = await shownBy(parts, folder, { entries, replays });
  const { openLoop, userModel, savedPack } = facts ?? {};
  const assistantUrl = parts.store && facts && (await knownAddress(parts.store, folder, facts));
  const { targetScore, packHash, decider } = facts ?? {};
  const last = entries.at(-1);
  const running = last?.event.kind === "repair-started" ? last.process : undefined;
  return {
    entries,
    unrecorded: foreign.length + ended.length,
    endedLoops: ended.filter(({ event }) => event.kind === "loop-finished").length,
    history,
    terms: stage.terms ?? defined({ targetScore, packHash, decider }),
    changedFiles,
    ...defined({ facts, openLoop, assistantUrl, userModel, savedPack }),
    ...(running !== undefined && parts.isAlive(running) ? { coderAtWork: running } : {}),
  };
}

function knownLoops(
  recorded: readonly StageEntry[],
  replays: readonly StoredReplay[],
): ReadonlySet<string> {
  const taken = recorded.flatMap(({ event }) =>
    event.kind === "findings-imported" ? [event.from] : [],
  );
  return new Set([...taken, ...replays.map(({ event }) => event.loopId)]);
}

/** Iterations that ended but were not recorded because their process died. */
function unrecordedLoops(
  recorded: readonly StageEntry[],
  replays: readonly StoredReplay[],
): readonly Omit<StageEntry, "number">[] {
  const known = new Set(
    recorded.flatMap(({ event }) => (event.kind === "loop-finished" ? [event.run] : [])),
  );
  return replays
    .filter(({ event }) => !known.has(event.run))
    .flatMap((replay) =>
      eventsOf(replay).map((event) => ({ at: replay.endedAt, event, evidence: {} })),
    );
}

/** One iteration. A coder that the loop ran after it counts as a repair like any other. */
function eventsOf({ event, coder }: StoredReplay): readonly StageEvent[] {
  const { replay, loopId: iterationId, packHash } = event;
  const findings = replay?.findings ?? [];
  const finished = { ...event, findings };
  if (coder === undefined) return [finished];
  const questions = [...new Set(findings.map(({ question }) => question))];
  const planned = { packHash, questions, findings: findings.map(({ findingId }) => findingId) };
  const prepared = { kind: "repair-prepared", iterationId, ...planned } as const;
  const { tampered = [] } = coder === "lost" ? {} : coder;
  const isObserved = coder !== "lost" && coder.change !== undefined;
  const executed = {
    kind: "repair-executed",
    iterationId,
    dryRun: false,
    coderStatus: coder === "lost" ? "interrupted" : coder.status,
    ...(coder === "lost" ? {} : { endedAt: coder.finishedAt }),
    evidence: !isObserved ? "unobserved" : tampered.length > 0 ? "tampered" : "intact",
    ...(tampered.length === 0 ? {} : { tampered }),
  } as const;
  return [finished, prepared, executed];
}

/** The events with what the store and the files show now. A record whose evidence is gone proves nothing. */
async function shownBy(
  parts: StageReading,
  folder: string,
  about: { readonly entries: readonly StageEntry[]; readonly replays: readonly StoredReplay[] },
): Promise<Pick<StageState, "history" | "changedFiles">> {
  const { entries, replays } = about;
  const files = new Set(entries.flatMap(({ evidence }) => Object.keys(evidence)));
  const actual = await evidenceIn(parts, { folder }, files);
  const byRun = new Map(replays.map((replay) => [replay.event.run, replay]));
  const changedFiles = replays.flatMap((replay) => replay.changedFiles);
  const history = entries.map(({ event, evidence }): StageEvent => {
    const changed = Object.keys(evidence).filter((file) => actual[file] !== evidence[file]);
    changedFiles.push(...changed);
    if (event.kind === "run-ingested" && changed.length > 0) {
      return { ...event, asked: [], questions: [] };
    }
    return event.kind === "loop-finished" ? loopNow(event, byRun) : event;
  });
  return { history: withoutStrangers(history), changedFiles };
}

function loopNow(
  event: StageEvent & { readonly kind: "loop-finished" },
  byRun: ReadonlyMap<string, StoredReplay>,
): StageEvent {
  const shown = byRun.get(event.run ?? "")?.event;
  if (shown !== undefined) return shown;
  const problem = `its run ${event.run ?? ""} is not in this project's store`;
  return { ...event, accepted: false, problems: [problem] };
}
