import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { ManualClock } from "../../tests/support/manual-clock.ts";
import type { NotesTools } from "../orchestration/gates/notes-tools.ts";
import { KnownAnswers } from "./known-answers.ts";

/** Notes whose files take a second to look at. */
function slowNotes() {
  const clock = new ManualClock();
  const seen = { looks: 0, tree: "first", rulings: "none" };
  const tools = {
    clock,
    digest: (text: string) => text,
    files: { read: async (path: string) => (path.includes("rulings") ? seen.rulings : "") },
    settings: { lock: "signoff.lock", roots: ["notes"], gates: "gates" },
    source: {
      findTree: async () => {
        seen.looks += 1;
        await clock.advance(1_000);
        return { state: seen.tree };
      },
    },
  } as unknown as NotesTools;
  const known = new KnownAnswers(clock);
  let computed = 0;
  const packed = (name = "matrix") =>
    known.answer(tools, [name], async () => {
      computed += 1;
      return `${name} ${computed} of ${seen.tree}, ${seen.rulings}`;
    });
  const ask = async (name?: string) =>
    JSON.parse(String(gunzipSync((await packed(name)).packed.gzipped)));
  return { clock, seen, ask, packed };
}

it("computes once for a state, and looks at the files again after a while", async () => {
  const { clock, seen, ask } = slowNotes();
  expect(await ask()).toBe("matrix 1 of first, none");
  seen.tree = "second";
  await clock.advance(19_000);
  expect(await ask()).toBe("matrix 1 of first, none");
  expect(seen.looks).toBe(1);
  await clock.advance(1_000);
  expect(await ask()).toBe("matrix 2 of second, none");
  expect(seen.looks).toBe(2);
});

it("sees a ruling at once, and looks at the files before it computes", async () => {
  const { seen, ask } = slowNotes();
  await ask();
  seen.rulings = "one";
  seen.tree = "second";
  expect(await ask()).toBe("matrix 2 of second, one");
  expect(await ask("work")).toBe("work 3 of second, one");
});

it("computes once for several that ask at the same time", async () => {
  const { ask } = slowNotes();
  await ask("work");
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(
    Array.from({ length: 3 }, () => "matrix 2 of first, none"),
  );
});

it("packs an answer once for a state", async () => {
  const { seen, packed } = slowNotes();
  const [first, second] = [await packed(), await packed()];
  expect(second.packed.gzipped).toBe(first.packed.gzipped);
  seen.rulings = "one";
  expect((await packed()).packed.gzipped).not.toEqual(first.packed.gzipped);
});
