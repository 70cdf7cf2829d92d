import { resolve } from "node:path";
import { shellWord } from "../../domain/values/shell-word.ts";
import {
  type Imported,
  type ImportedModel,
  importReviews,
} from "../../orchestration/gates/import-reviews.ts";
import { loadOriginalReviews } from "../../wiring/features/notes.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import type { Line } from "../shell/lay-out.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { muted } from "../shell/styles.ts";
import { notesSession } from "./notes-context.ts";
import { changeNotes } from "./with-notes.ts";

export interface NotesImportFlags extends JsonFlags {
  readonly from: string;
  readonly model?: readonly string[];
}

export async function importReviewsCommand(
  cli: CliContext,
  flags: NotesImportFlags,
): Promise<void> {
  const pairs = loadOriginalReviews(resolve(cli.cwd, flags.from));
  const models = (flags.model ?? []).map(readModel);
  const known = new Set(pairs.map(({ model }) => model));
  const unknown = models.find(({ from }) => !known.has(from));
  if (unknown !== undefined)
    throw invalidFlag(
      `${flags.from} has no verdicts of ${unknown.from}.`,
      `It has those of ${[...known].sort().join(", ") || "no model"}.`,
    );
  const session = await notesSession(cli, flags);
  await changeNotes(cli, session, async ({ tools, engine }) => {
    const done = await importReviews(tools, pairs, { models, newId: engine.newId });
    const { imported, known: before, undecided, gone, partitions } = done;
    const json = { imported, known: before, undecided, gone, partitions: [...partitions] };
    printResult(
      cli,
      flags,
      json,
      importLines(done, { flags, models, judges: tools.settings.models }),
    );
  });
}

/** `ORIGINAL` keeps its name, `ORIGINAL=MODEL` is filed as that model's. */
function readModel(text: string): ImportedModel {
  const equals = text.indexOf("=");
  const [from, to] = equals === -1 ? [text, text] : [text.slice(0, equals), text.slice(equals + 1)];
  if (from.trim() !== "" && to.trim() !== "") return { from: from.trim(), to: to.trim() };
  throw invalidFlag(`--model ${text} cannot be read.`, "Write --model claude-opus=anthropic/opus.");
}

function importLines(
  done: Imported,
  about: {
    readonly flags: NotesImportFlags;
    readonly models: readonly ImportedModel[];
    readonly judges: readonly string[];
  },
): readonly Line[] {
  const { imported, known, undecided, gone, partitions, lock } = done;
  const rest = [
    ...(known > 0 ? [`${known} already known`] : []),
    ...(undecided > 0 ? [`${undecided} undecided skipped`] : []),
    ...(gone > 0 ? [`${gone} of notes or gates that are not here skipped`] : []),
  ];
  const [judge] = about.judges;
  const [first] = partitions;
  const isOpen = about.models.length === 0 && judge !== undefined && first !== undefined;
  return [
    `${renderCount(imported, "acceptance")} imported${rest.map((one) => `, ${one}`).join("")}. ${lock.path} has ${renderCount(lock.lines, "line")}.`,
    ...partitions.map(({ model, pairs }) => `  ${model}: ${renderCount(pairs, "pair")}`),
    isOpen &&
      muted(
        `Each model's verdicts are kept apart. To count those of ${first.model} as ${judge}'s:`,
      ),
    isOpen && {
      lead: ["  "],
      spans: [
        `signoff notes import --from ${shellWord(about.flags.from)} --model ${first.model}=${judge}`,
      ],
      isWhole: true,
    },
  ];
}
