import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseSessionTranscript } from "../../contract/scenarios/transcript.ts";
import { DEFAULT_SESSION } from "./assistant-settings.ts";
import { type ImportedRunSource, loadImportedRun } from "./imported-run.ts";

let root = "";
let source: ImportedRunSource;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "imported-run-"));
  await mkdir(join(root, "reports"));
  await mkdir(join(root, "sessions"));
  source = {
    root,
    reportFile: "reports/{id}.md",
    sessionFiles: "sessions/{id}-*.json",
    session: DEFAULT_SESSION.answer,
    mask: { secrets: ["sk-shop-1"] },
  };
});
afterEach(() => rm(root, { recursive: true }));

const session = (...items: readonly (readonly [string, string])[]) =>
  JSON.stringify({ items: items.map(([role, text]) => ({ role, text })) });

test("all sessions of a run become pairs, in the order of their names", async () => {
  await writeFile(join(root, "reports/gui-7.md"), "# Report");
  await writeFile(
    join(root, "sessions/gui-7-b.json"),
    session(["user", "Sales?"], ["assistant", "9"]),
  );
  await writeFile(
    join(root, "sessions/gui-7-a.json"),
    `\uFEFF${session(["user", "Stock?"], ["system", "x"], ["assistant", "5 desks, key sk-shop-1"], ["user", "Lamps?"])}`,
  );
  await writeFile(join(root, "sessions/gui-70-a.json"), "not of this run");
  const run = await loadImportedRun("gui-7", source);
  expect(run.files).toEqual(["reports/gui-7.md", "sessions/gui-7-a.json", "sessions/gui-7-b.json"]);
  expect(run.pairs.map((pair) => [pair.sessionId, pair.question, pair.answer])).toEqual([
    ["gui-7-a", "Stock?", "5 desks, key [redacted]"],
    ["gui-7-a", "Lamps?", ""],
    ["gui-7-b", "Sales?", "9"],
  ]);
});

test("without sessions the conversation in the report is read", async () => {
  await writeFile(
    join(root, "reports/gui-8.md"),
    "Run of Monday\n\n**User:** Stock?\n**Assistant:** 5 desks\nand 3 lamps\n",
  );
  const run = await loadImportedRun("gui-8", source);
  expect(run.pairs).toMatchObject([{ question: "Stock?", answer: "5 desks\nand 3 lamps" }]);
});

test.each(["../etc", "", "a/b", ".hidden"])("%j is no run id", async (id) => {
  await expect(loadImportedRun(id, source)).rejects.toMatchObject({ code: "bad-run-id" });
});

test("a missing run, a broken session and a link out of the root are named", async () => {
  await expect(loadImportedRun("gui-9", source)).rejects.toMatchObject({ code: "run-not-found" });
  await writeFile(join(root, "sessions/gui-9-a.json"), "<html>");
  await expect(loadImportedRun("gui-9", source)).rejects.toMatchObject({
    code: "bad-session-file",
  });
  await writeFile(join(root, "sessions/gui-9-a.json"), "{}");
  await expect(loadImportedRun("gui-9", source)).rejects.toMatchObject({
    code: "bad-session-file",
  });
  await symlink("/etc/hostname", join(root, "sessions/gui-10-a.json"));
  await expect(loadImportedRun("gui-10", source)).rejects.toMatchObject({
    code: "path-outside-root",
  });
});

test("a pasted transcript is read in three languages and in several dresses", () => {
  expect(parseSessionTranscript("### User\nStock?\n### Assistant\n5\n")).toEqual([
    { role: "user", text: "Stock?" },
    { role: "assistant", text: "5" },
  ]);
  expect(
    parseSessionTranscript("Пользователь: Сколько?\nАссистент: 5").map((item) => item.role),
  ).toEqual(["user", "assistant"]);
  expect(parseSessionTranscript("Frage: Wie viele?\nAntwort: 5\nUsers: 3")).toEqual([
    { role: "user", text: "Wie viele?" },
    { role: "assistant", text: "5\nUsers: 3" },
  ]);
  expect(parseSessionTranscript("no speaker here")).toEqual([]);
});
