import { describe, expect, it } from "vitest";
import { instant } from "../../domain/values/instant.ts";
import { doctorLines } from "../project/render-doctor.ts";
import { layOutLines } from "../shell/lay-out.ts";
import { colourPalette, plainPalette } from "../shell/palette.ts";
import { type RunRow, renderRunsTable } from "./runs-table.ts";

const now = instant("2026-11-15T10:05:00.000Z");
const layout = { width: 72, palette: plainPalette };
const row = (runId: string, updatedAt: string, more: Partial<RunRow> = {}): RunRow => ({
  runId,
  kind: "draft",
  state: "finished",
  title: "water bottles",
  updatedAt: instant(updatedAt),
  ...more,
});

describe("renderRunsTable", () => {
  it("lists the newest first, in columns, and cuts what is too long", () => {
    const rows = [
      row("77aa2f1e-1", "2026-11-14T10:00:00.000Z", {
        outcome: "max_turns",
        title: "a podcast\nabout rivers and the people who clean them",
      }),
      row("0b6c2f1e-7", "2026-11-15T10:00:00.000Z", {
        outcome: "approved",
        deciders: ["stand_in"],
      }),
      row("99aa2f1e-1", "2026-11-15T09:00:00.000Z", {
        state: "interrupted",
        title: "水のボトル\x1B[2J",
      }),
    ];
    expect(renderRunsTable(rows, now, layout)).toEqual([
      "run       state                 kind   changed    about",
      "0b6c2f1e  approved (stand-ins)  draft  5 min ago  water bottles",
      "99aa2f1e  interrupted           draft  1 h ago    水のボトル",
      "77aa2f1e  not approved (limit)  draft  1 day ago  a podcast about river…",
    ]);
  });

  it.each([
    [{ outcome: "approved", deciders: ["scripted"] }, "approved (script)"],
    [{ outcome: "max_turns", deciders: ["scripted"] }, "not approved (limit, script)"],
    [{ outcome: "accepted", deciders: ["scripted"] }, "accepted (script)"],
    [{ kind: "gate-sweep", deciders: ["scripted"] }, "finished (script)"],
    [{ kind: "gate-sweep", deciders: ["model"] }, "finished"],
    [{ outcome: "approved", deciders: ["model"], rule: 1 }, "approved under rule 1"],
    [{ outcome: "approved", deciders: ["person"], ruledBy: "Ada", rule: 1 }, "approved by Ada"],
    [{ outcome: "changes_requested", ruledBy: "Ada" }, "changes requested by Ada"],
  ] as const)("shows who decided: %j", (about, state) => {
    const [, line] = renderRunsTable([row("0b6c2f1e", now, about)], now, layout);
    expect(line).toContain(`  ${state}  `);
  });

  it("shortens ids only as far as they stay distinct", () => {
    const rows = [row("0b6c2f1e-7a", now), row("0b6c2f1e-7b", now)];
    expect(renderRunsTable(rows, now, layout)[1]).toMatch(/^0b6c2f1e-7a {2}/);
  });

  it("shows only an approval in green", () => {
    const green = "\x1B[32m";
    const painted = { ...layout, palette: colourPalette };
    const lineOf = (outcome: NonNullable<RunRow["outcome"]>) =>
      renderRunsTable([row("0b6c2f1e", now, { outcome })], now, painted)[1];
    expect(lineOf("approved")).toContain(green);
    expect(lineOf("max_turns")).not.toContain(green);
  });

  it("says what to type when there is nothing", () => {
    expect(renderRunsTable([], now, { ...layout, width: 100 })).toEqual([
      'No runs yet. Start one with signoff draft "what it is about", or look at signoff demo.',
    ]);
    const narrow = renderRunsTable([], now, { ...layout, width: 40 });
    expect(narrow.some((line) => line.includes("signoff demo"))).toBe(true);
    expect(narrow.some((line) => line.includes('signoff draft "what it is about"'))).toBe(true);
  });
});

describe("doctorLines", () => {
  it("lists every check and the number of problems", () => {
    const ok = { level: "ok", text: "The store is intact." } as const;
    const lost = {
      level: "warning",
      text: "Run 7 has no files.",
      hint: "signoff doctor --fix",
    } as const;
    expect(layOutLines(doctorLines([ok, lost]), layout)).toEqual([
      "  ok       The store is intact.",
      "  warning  Run 7 has no files.",
      "           signoff doctor --fix",
      "",
      "1 problem found.",
    ]);
    expect(layOutLines(doctorLines([ok]), layout).at(-1)).toBe("No problems found.");
  });
});
