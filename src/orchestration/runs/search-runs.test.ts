import { expect, it } from "vitest";
import { runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { RunPage, RunSummary } from "../../ports/repos.ts";
import type { RunSource } from "./list-runs.ts";
import { searchRuns } from "./search-runs.ts";

const minute = (at: number): string => `2026-03-02T08:${String(at).padStart(2, "0")}:00.000Z`;

/** Thirty briefs, one each minute; every tenth is about bread. */
const bakery = Array.from({ length: 30 }, (_, at) => ({
  run: runId(`00000000-0000-4000-8000-0000000000${String(at).padStart(2, "0")}`),
  createdAt: instant(minute(at)),
  brief: at % 10 === 0 ? `bread ${at}` : `coffee ${at}`,
}));

function sourceOf(): RunSource {
  const list = async ({ limit, after }: RunPage): Promise<readonly RunSummary[]> =>
    bakery
      .toReversed()
      .filter(
        ({ createdAt, run }) =>
          after === undefined ||
          createdAt < after.createdAt ||
          (createdAt === after.createdAt && run < after.run),
      )
      .slice(0, limit)
      .map(({ run, createdAt }) => ({
        ...{ run, createdAt, kind: "draft", state: "finished" as const, updatedAt: createdAt },
      }));
  const repos = {
    runs: { list },
    ledger: { totals: async () => [] },
    rulings: { of: async () => [] },
  };
  const load = async (run: string) => {
    const found = bakery.find((one) => one.run === run);
    const job = { id: run, kind: "draft", input: { brief: found?.brief ?? "" } };
    return {
      ...{ run, state: "finished", updatedAt: found?.createdAt },
      job: { ...job, createdAt: found?.createdAt },
    };
  };
  const store = { read: async (work: (given: object) => unknown) => work(repos), runs: { load } };
  return { store, isDead: () => false } as unknown as RunSource;
}

const titles = async (search: Parameters<typeof searchRuns>[1]): Promise<readonly string[]> =>
  (await searchRuns(sourceOf(), search)).runs.map(({ title }) => title);

it("finds every word in titles, newest first", async () => {
  expect(await titles({ limit: 5, text: "BREAD" })).toEqual(["bread 20", "bread 10", "bread 0"]);
  expect(await titles({ limit: 5, text: "bread 10" })).toEqual(["bread 10"]);
});

it("keeps to the dates asked for", async () => {
  const since = instant(minute(9));
  const until = instant(minute(12));
  const found = await titles({ limit: 9, since, until });
  expect(found).toEqual(["coffee 11", "bread 10", "coffee 9"]);
});

it("continues where a page ended, without a gap and without a repetition", async () => {
  const first = await searchRuns(sourceOf(), { limit: 2, text: "bread" });
  expect(first.runs.map(({ title }) => title)).toEqual(["bread 20", "bread 10"]);
  if (first.next === undefined) throw new Error("There is another page.");
  const second = await searchRuns(sourceOf(), { limit: 2, text: "bread", after: first.next });
  expect(second).toMatchObject({ runs: [{ title: "bread 0" }] });
  expect(second.next).toBeUndefined();
});
