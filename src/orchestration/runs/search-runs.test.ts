import { afterAll, beforeAll, expect, it } from "vitest";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { defined } from "../../domain/values/defined.ts";
import { digest } from "../../domain/values/digest.ts";
import { runId } from "../../domain/values/ids.ts";
import { instant, instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import type { RunCursor } from "../../ports/repos.ts";
import type { RunSource } from "./list-runs.ts";
import { searchRuns } from "./search-runs.ts";

const begin = millisOf(instant("2026-03-02T08:00:00.000Z"));
const minute = (at: number) => instantFromMillis(begin + at * 60_000);

const store = openMemoryStore();
const source = { store, isDead: () => false } as unknown as RunSource;
const count = 1_300;

/** One brief each minute; the oldest and every six hundredth are about bread. */
beforeAll(async () => {
  for (let at = 0; at < count; at += 1) {
    const brief = at % 600 === 0 ? `bread ${at}` : `coffee ${at}`;
    const job = { id: `job ${at}`, kind: "draft", input: { brief }, settings: null };
    const run = runId(`00000000-0000-4000-8000-${String(at).padStart(12, "0")}`);
    await store.runs.create({
      ...{ run, inputDigest: digest("b".repeat(64)) },
      job: { ...job, createdAt: minute(at) },
    });
  }
});
afterAll(() => store.close());

const titles = async (search: Parameters<typeof searchRuns>[1]): Promise<readonly string[]> =>
  (await searchRuns(source, search)).runs.map(({ title }) => title);

it("finds every word in titles, newest first, however many runs lie between", async () => {
  expect(await titles({ limit: 5, text: "BREAD" })).toEqual(["bread 1200", "bread 600", "bread 0"]);
  expect(await titles({ limit: 5, text: " bread  60 " })).toEqual(["bread 600"]);
});

it("keeps to the dates asked for", async () => {
  const since = minute(599);
  const until = minute(602);
  const found = ["coffee 601", "bread 600", "coffee 599"];
  expect(await titles({ limit: 9, since, until })).toEqual(found);
  expect(await titles({ limit: 9, since, until, text: "e" })).toEqual(found);
});

it("continues where a page ended, without a gap and without a repetition", async () => {
  const first = await searchRuns(source, { limit: 2, text: "bread" });
  expect(first.runs.map(({ title }) => title)).toEqual(["bread 1200", "bread 600"]);
  if (first.next === undefined) throw new Error("There is another page.");
  const second = await searchRuns(source, { limit: 2, text: "bread", after: first.next });
  expect(second).toMatchObject({ runs: [{ title: "bread 0" }] });
  expect(second.next).toBeUndefined();
});

it("reads some lines for each page, and finds everything page by page", async () => {
  const pages: string[] = [];
  let after: RunCursor | undefined;
  do {
    const page = { limit: 2, text: "bread", mostLines: 400, ...defined({ after }) };
    const { runs, next } = await searchRuns(source, page);
    pages.push(runs.map(({ title }) => title).join());
    after = next;
  } while (after !== undefined);
  expect(pages).toEqual(["bread 1200", "bread 600", "", "bread 0"]);
});

it("does not cut a page that its dates end, or that is full", async () => {
  const cut = { limit: 2, mostLines: 400 };
  const since = minute(1_000);
  expect(await searchRuns(source, { ...cut, since, text: "bread" })).toEqual({
    runs: [expect.objectContaining({ title: "bread 1200" })],
  });
  const full = await searchRuns(source, { ...cut, text: "coffee" });
  expect(full.next?.createdAt).toBe(minute(1_298));
});
