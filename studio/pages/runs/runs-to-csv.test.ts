import { describe, expect, it } from "vitest";
import { runsToCsv } from "./runs-to-csv.ts";

const run = {
  run_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  kind: "draft",
  state: "finished",
  outcome: "approved",
  ruled_by: null,
  rule: 2,
  stand_in: false,
  deciders: ["model" as const],
  title: "water bottles",
  place: null,
  parent: null,
  created_at: "2026-03-02T08:00:00.000Z",
  updated_at: "2026-03-02T08:00:00.000Z",
  resumable: false,
  spent: { micro_usd: 12, unpriced: 0, tokens: 340, uncounted: 0, seconds: 1.5 },
};

describe("an exported table", () => {
  it.each(['=HYPERLINK("http://evil.example","open")', "+1+1", "-2+3", "@SUM(A1)", "\t=1"])(
    "does not let a spreadsheet run the brief %j",
    (title) => {
      const [, line = ""] = runsToCsv([{ ...run, title }]).split("\r\n");
      expect(line).toContain(`"'${title.replaceAll('"', '""')}"`);
    },
  );

  it("leaves unknown amounts empty instead of 0", () => {
    const spent = { ...run.spent, micro_usd: null, unpriced: 2, tokens: null, uncounted: 2 };
    const [, line = ""] = runsToCsv([{ ...run, spent }]).split("\r\n");
    expect(line).toMatch(/,"",2,"",2,1\.5$/u);
  });

  it("keeps commas, quotes and line ends inside their field", () => {
    const text = runsToCsv([{ ...run, title: 'say "hi",\nthen go' }]);
    expect(text).toContain('"say ""hi"",\nthen go"');
    expect(text.split("\r\n")).toHaveLength(3);
  });
});
