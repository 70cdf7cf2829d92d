import { useMutation } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";
import type { Run } from "../../api/queries.ts";
import type { RunsSearch } from "./runs-page.tsx";
import { runsToCsv } from "./runs-to-csv.ts";

const mostRuns = 10_000;

/** All runs of the filter as a file, page by page, up to a size that a spreadsheet can open. */
export function ExportRuns({ filter }: { readonly filter: RunsSearch }) {
  const save = useMutation({
    mutationFn: async () => {
      const text = runsToCsv(await readAll(filter));
      const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = "signoff-runs.csv";
      link.click();
      URL.revokeObjectURL(url);
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

async function readAll(filter: RunsSearch): Promise<readonly Run[]> {
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
