import { defined } from "../../domain/values/defined.ts";
import { databaseOf } from "../../wiring/project/project-id.ts";
import { existsStore } from "../../wiring/project/project-store.ts";
import { copyProjectStore, migrateProject } from "../../wiring/project/shared-store.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printRemark, printResult, projectPlaceOf } from "../shell/print.ts";
import { caution } from "../shell/styles.ts";

export interface MigrateFlags extends JsonFlags {
  readonly grant?: string;
}

export interface CopyFlags extends JsonFlags {
  readonly from: string;
  readonly to: string;
}

export async function migrateCommand(cli: CliContext, flags: MigrateFlags): Promise<void> {
  const { grant } = flags;
  const { project, schema, applied } = await migrateProject(
    projectPlaceOf(cli),
    defined({ grant }),
  );
  const said =
    applied.length === 0
      ? `The schema ${schema} is up to date.`
      : `The schema ${schema} is ready: ${renderCount(applied.length, "migration")} applied.`;
  const granted = grant === undefined ? [] : [`${grant} may read and write its rows.`];
  const hint = existsStore(projectPlaceOf(cli).root)
    ? ["The record in .signoff/signoff.db is not read while SIGNOFF_DATABASE_URL is set.", copyHint]
    : [];
  const lines = [said, ...granted, ...hint];
  printResult(cli, flags, { project, schema, applied: [...applied] }, lines);
}

const copyHint = "Next: signoff store copy --from .signoff/signoff.db --to database";

/** Exit 1 if the two ends differ. */
export async function copy(cli: CliContext, flags: CopyFlags): Promise<void> {
  const place = projectPlaceOf(cli);
  if (![flags.from, flags.to].includes("database")) await databaseOf(place);
  const tables = await copyProjectStore({ ...place, cwd: cli.cwd }, flags, (table, rows) => {
    if (rows % rowsBetweenRemarks === 0)
      printRemark(cli, `${table}: ${renderCount(rows, "row")} so far.`);
  });
  const differing = tables.filter(({ isEqual }) => !isEqual);
  cli.end(differing.length === 0 ? exitCode.accepted : exitCode.notAccepted);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const added = tables.reduce((sum, table) => sum + table.added, 0);
  const json = { rows, added, tables: tables.map((table) => ({ ...table })) };
  printResult(cli, flags, json, [
    `Copied ${renderCount(added, "row")}; ${renderCount(rows, "row")} compared.`,
    ...(differing.length === 0
      ? ["Both stores hold the same record, by count and digest."]
      : [
          ...differing.map(({ table }) => caution(`  ${table} differs between the two stores.`)),
          "The target held a record of its own, or the source was changed between two copies. Copy into a new file or an empty schema.",
        ]),
  ]);
}

const rowsBetweenRemarks = 100_000;
