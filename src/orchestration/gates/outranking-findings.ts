import { type LockLine, lockKey } from "../../contract/gates/lock-file.ts";
import type { Settled } from "../../domain/gates/decision.ts";
import { type JudgeAnswer, panelOf, voteOnPair } from "../../domain/gates/panel-vote.ts";
import type { Ruling } from "../../domain/gates/rulings.ts";
import type { OutrankingLine } from "./changes-since.ts";
import { aboutFile, type FileFinding } from "./check-findings.ts";
import { filedIn, VersionDigests } from "./filed-verdicts.ts";
import type { NotesWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { loadPanelAnswers } from "./panel-answers.ts";
import { loadRulings } from "./rulings.ts";
import { rulingsPath } from "./rulings-path.ts";

/** New lines of the lock that count before single verdicts, and whether they follow from what is at hand. */
export async function outrankingFindings(
  tools: NotesTools,
  world: NotesWorld,
  added: readonly OutrankingLine[],
): Promise<readonly FileFinding[]> {
  if (added.length === 0) return [];
  const lines = added.map(({ line }) => line);
  const recount = await loadRecount(tools, world, lines);
  const rulings = await loadRulings(tools);
  return added.map(({ line, over }) => {
    const { notePath, gateId, modelId, decision, kind } = line;
    const isVote = kind === "vote";
    const support = isVote ? recount(line) : ackSupport(tools, rulings.all, line);
    const what = isVote ? "vote" : "acknowledgement";
    const outranked = over === undefined ? "" : `, over a verdict of ${over}`;
    return {
      ...aboutFile(notePath, "lock", support.kind === "contrary" ? "warning" : "note"),
      ...{ gate: gateId, model: modelId },
      message: `${gateId}: new ${what} in the lock: ${modelId} says ${decision}${outranked}${support.words}`,
      ...(isVote && support.kind !== "follows" ? { mend: compareHint } : {}),
    };
  });
}

const compareHint = "Compare it with the recorded replies, where they are: signoff verify note";

interface Support {
  readonly kind: "follows" | "contrary" | "attested";
  readonly words: string;
}

function attested(missing: string): Support {
  return { kind: "attested", words: ` (attested: ${missing})` };
}

function ackSupport(tools: NotesTools, rulings: readonly Ruling[], line: LockLine): Support {
  const path = rulingsPath(tools.settings);
  const isRuled = rulings.some(
    (one) =>
      one.kind === "acknowledge" &&
      lockKey(one) === lockKey(line) &&
      one.noteBlob === line.acceptedNoteSha &&
      one.gateBlob === line.acceptedGateSha &&
      one.decision === line.decision,
  );
  if (isRuled) return { kind: "follows", words: `, as ${path} says` };
  return attested(`${path} has no such acknowledgement`);
}

/** Votes of panels are counted again from the verdicts that the lock has of their members. */
async function loadRecount(
  tools: NotesTools,
  world: NotesWorld,
  lines: readonly LockLine[],
): Promise<(line: LockLine) => Support> {
  const notes = new Map(world.allNotes.map((note) => [note.path, note]));
  const gates = new Map(world.allGates.map((gate) => [gate.id, gate]));
  const pairs = lines.flatMap((line) => {
    const [note, gate] = [notes.get(line.notePath), gates.get(line.gateId)];
    const panel = panelOf(line.modelId, tools.settings.panels);
    if (note === undefined || gate === undefined || panel === undefined) return [];
    return [{ line, note, gate, panel, model: line.modelId, filed: [filedIn(line)] }];
  });
  const digests = await VersionDigests.load(tools, pairs);
  const present = pairs.filter((pair) => digests.fitting(pair).length > 0);
  const about = {
    ...world,
    notes: [...new Set(present.map(({ note }) => note))],
    gates: [...new Set(present.map(({ gate }) => gate))],
    covers: () => true,
  };
  const panels = new Set(present.map(({ panel }) => panel));
  const answers = new Map(
    await Promise.all(
      [...panels].map(
        async (panel) =>
          [panel, await loadPanelAnswers(tools, about, panel, { lockOnly: true })] as const,
      ),
    ),
  );
  const derived = new Map(
    present.map(({ line, note, gate, panel }) => {
      const given = answers.get(panel)?.(note.path, gate.id) ?? [];
      return [line, voteSupport(line, given, voteOnPair(given, panel, gate.failLevel).decision)];
    }),
  );
  return (line) =>
    derived.get(line) ?? attested("the lock does not hold the answers that it counts");
}

function voteSupport(line: LockLine, given: readonly JudgeAnswer[], recounted: Settled): Support {
  const missing = given.filter(({ answer }) => answer === "absent").map(({ member }) => member);
  if (missing.length > 0) return attested(`the lock has no verdict of ${missing.join(", ")}`);
  return recounted === line.decision
    ? { kind: "follows", words: ", which follows from its members' verdicts" }
    : { kind: "contrary", words: `, but its members' verdicts come to ${recounted}` };
}
