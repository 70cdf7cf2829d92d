import type { CiFinding, CiReport } from "../../contract/gates/ci-report.ts";
import { isFailing } from "../../domain/gates/decision.ts";
import type { NoteWork } from "../../domain/gates/findings.ts";
import { defined } from "../../domain/values/defined.ts";
import { dismissHint } from "./check-findings.ts";
import { gateFacts } from "./check-notes.ts";
import { listTree } from "./list-tree.ts";
import { loadGates } from "./load-gates.ts";
import type { NotesTools } from "./notes-tools.ts";
import type { WorkItem } from "./warn-queue.ts";

/** The work list for programs that read findings. */
export async function reportWork(
  tools: NotesTools,
  work: readonly NoteWork<WorkItem>[],
): Promise<CiReport> {
  const gates = await loadGates(tools, (await listTree(tools)).gateFiles);
  const levels = new Map(gates.map(({ id, failLevel }) => [id, failLevel]));
  const items = work.flatMap((one) => one.items);
  const pairs = new Map(
    items.map(({ notePath: note, gate, model }) => [
      `${note}\n${gate}\n${model}`,
      { note, gate, model },
    ]),
  );
  return {
    title: "signoff notes warns",
    folder: tools.source.folderInRepository,
    pairs: [...pairs.values()],
    gates: gates.map(gateFacts),
    findings: items.map((item) => findingOf(item, levels.get(item.gate) ?? "fail")),
  };
}

function findingOf(item: WorkItem, failLevel: "warn" | "fail"): CiFinding {
  const { notePath: note, gate, model, fingerprint, line, quote, outdated, dismissed } = item;
  const isError = isFailing(item.severity === "warn" ? "warn" : "fail", failLevel);
  const late = outdated === undefined ? "" : ` (outdated: ${outdated})`;
  const mend = dismissHint(fingerprint);
  return {
    ...{ note, gate, model, fingerprint, message: `${gate}: ${item.message}${late}` },
    rule: isError ? "failing" : "warning",
    level: outdated !== undefined ? "note" : isError ? "error" : "warning",
    ...defined({ line, quote, suppressed: dismissed }),
    ...(outdated === undefined && item.anchor !== undefined ? { mend } : {}),
  };
}
