import { expect, test } from "vitest";
import { digest } from "../values/digest.ts";
import {
  classifyDerivedFiles,
  type DerivedFile,
  derivedFrom,
  isMadeFrom,
  sourcesOf,
} from "./derived-files.ts";

const chain: readonly DerivedFile[] = [
  { path: "chunk", sources: [{ path: "transcript", digest: digest("t1") }] },
  { path: "summary", sources: [{ path: "chunk", digest: digest("c1") }] },
  { path: "candidate", sources: [{ path: "summary", digest: digest("s1") }] },
];
const now = (changes: { [path: string]: string } = {}) =>
  new Map(
    Object.entries({ transcript: "t1", chunk: "c1", summary: "s1", ...changes })
      .filter(([, hash]) => hash !== "")
      .map(([path, hash]) => [path, digest(hash)]),
  );

test("everything is fresh while no source changed", () => {
  expect([...classifyDerivedFiles(chain, now()).values()].map((one) => one.kind)).toEqual([
    "fresh",
    "fresh",
    "fresh",
  ]);
});

test("a changed transcript makes the whole chain stale and is named as the reason", () => {
  const found = classifyDerivedFiles([...chain].reverse(), now({ transcript: "t2" }));
  for (const { path } of chain) {
    expect(found.get(path)).toEqual({ kind: "stale", because: "transcript changed" });
  }
});

test("a change in the middle leaves what is before it fresh", () => {
  const found = classifyDerivedFiles(chain, now({ summary: "s2" }));
  expect(found.get("summary")?.kind).toBe("fresh");
  expect(found.get("candidate")).toEqual({ kind: "stale", because: "summary changed" });
});

test("a source that is gone makes stale, and files that never said their sources stay unknown", () => {
  expect(classifyDerivedFiles(chain, now({ transcript: "" })).get("chunk")).toEqual({
    kind: "stale",
    because: "transcript is gone",
  });
  const foreign = [{ path: "summary", sources: [] }, chain[2]!];
  expect(classifyDerivedFiles(foreign, now()).get("candidate")).toEqual({ kind: "unknown" });
});

test("files that name each other end as unknown, not in a loop", () => {
  const circle = [
    { path: "chunk", sources: [{ path: "summary", digest: digest("s1") }] },
    { path: "summary", sources: [{ path: "chunk", digest: digest("c1") }] },
  ];
  expect(classifyDerivedFiles(circle, now()).get("chunk")).toEqual({ kind: "unknown" });
});

test("sources travel in provenance", () => {
  const source = { path: "transcript/transcript.txt", digest: digest("ab") };
  expect(sourcesOf([{ kind: "run", ref: "r", metadata: {} }, derivedFrom(source)])).toEqual([
    source,
  ]);
});

test("a text is made from the present sources unless one that it names has changed", () => {
  const source = (path: string, hash: string) => ({ path, digest: digest(hash) });
  const current = [source("hosts", "h1"), source("summary", "s1")];
  const madeFrom = (...named: readonly ReturnType<typeof source>[]) =>
    isMadeFrom(named.map(derivedFrom), "summary", current);
  expect(madeFrom(source("summary", "s1"))).toBe(true);
  expect(madeFrom(source("summary", "s1"), source("hosts", "h1"))).toBe(true);
  expect(madeFrom(source("summary", "s1"), source("hosts", "h0"))).toBe(false);
  expect(madeFrom(source("hosts", "h1"))).toBe(false);
});
