import { useMutation } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";
import type { Run, RunsQuery } from "../../api/queries.ts";
import { saveFile } from "../../design/take-text.tsx";
import { runsToCsv } from "./runs-to-csv.ts";

const mostRuns = 10_000;

/** All runs of the filter as a file, page by page, up to a size that a spreadsheet can open. */
export function ExportRuns({ filter }: { readonly filter: RunsQuery }) {
  const save = useMutation({
    mutationFn: async () => {
      saveFile("signoff-runs.csv", runsToCsv(await readAll(filter)), "text/csv");
    },
  });
  return (
    <button
      type="button"
      className="button"
      disabled={save.isPending}
      onClick={() => save.mutate()}
    >
      {save.isPending ? "Reading…" : "Export CSV"}
    </button>
  );
}

async function readAll(filter: RunsQuery): Promise<readonly Run[]> {
  const runs: Run[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 200, ...filter, ...(cursor === null ? {} : { cursor }) };
    const page: { readonly runs: readonly Run[]; readonly next_cursor: string | null } = await ask(
      "GET /api/v1/runs",
      { query },
    );
    runs.push(...page.runs);
    cursor = page.next_cursor;
  } while (cursor !== null && runs.length < mostRuns);
  return runs;
}
