import type { Ruling } from "../../domain/gates/rulings.ts";
import type { ChangesSince } from "./changes-since.ts";
import { aboutFile, type FileFinding } from "./check-findings.ts";
import type { NotesWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { outrankingFindings } from "./outranking-findings.ts";

/**
 * What a reviewer of the change should see: removed gates, changed settings, verdicts that are gone or outrank others,
 * and what people ruled.
 */
export async function changeFindings(
  tools: NotesTools,
  world: NotesWorld,
  changes: ChangesSince,
): Promise<readonly FileFinding[]> {
  const { allGates, allNotes } = world;
  const present = new Set(allGates.map(({ path }) => path));
  const removed = [...changes.gateFiles].filter((path) => !present.has(path));
  const { revision, settings } = changes;
  const named = settings.join(", ");
  const paths = new Set(allNotes.map(({ path }) => path));
  const deleted = changes.deletedVerdicts.filter(({ notePath }) => paths.has(notePath));
  const differ = `since ${revision} ${named} changed: notes and gates may have left the check`;
  return [
    ...(settings.length === 0
      ? []
      : [{ ...aboutFile("signoff.yaml", "settings", "warning"), message: differ }]),
    ...deleted.map(({ notePath, gateId, modelId, decision }) => ({
      ...aboutFile(notePath, "lock", "note"),
      ...{ gate: gateId, model: modelId },
      message: `${gateId}: a line that says ${decision} was deleted from the lock since ${revision}; it still counts for its versions, unless a vote or a ruling outranks it`,
    })),
    ...removed.map((path) => ({
      ...aboutFile(path, "gate-removed", "warning"),
      message: `the gate was removed since ${revision}; nothing is held to it any more`,
    })),
    ...(await outrankingFindings(tools, world, changes.outranking)),
    ...changes.rulings.map((ruling) => rulingNews(ruling, "new ruling")),
    ...changes.deletedRulings.map((ruling) => rulingNews(ruling, "deleted ruling")),
  ];
}

const acts = {
  dismiss: "dismissed a finding",
  override: "overrode the verdict",
  acknowledge: "acknowledged",
};

function rulingNews(ruling: Ruling, what: string): FileFinding {
  const { notePath, gateId, kind, by, reason, expires } = ruling;
  const verdict = kind === "dismiss" ? "" : ` as ${ruling.decision}`;
  const until = expires === undefined ? "" : ` (until ${expires})`;
  const message = `${what}: ${gateId}: ${by} ${acts[kind]}${verdict}${until}: ${reason}`;
  return { ...aboutFile(notePath, "ruling", "note"), gate: gateId, message };
}
