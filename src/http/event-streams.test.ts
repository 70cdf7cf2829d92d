import { expect, it } from "vitest";
import { ManualClock } from "../../tests/support/manual-clock.ts";
import type { Actor } from "./actors.ts";
import { streamAll } from "./event-streams.ts";
import { LiveHub } from "./live-hub.ts";
import type { StudioParts } from "./studio-parts.ts";

it("looks for changes by other processes once a second, however many screens are open", async () => {
  const clock = new ManualClock();
  let looks = 0;
  const run = { run: "6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e", state: "finished" };
  const list = async () => {
    looks += 1;
    return [{ ...run, updatedAt: `look ${looks}` }];
  };
  const source = {
    store: {
      read: (look: (repos: object) => unknown) =>
        look({
          ...{ runs: { list }, people: { atWork: async () => [] } },
          ...{ inbox: { count: async () => looks }, stages: { countEntries: async () => 0 } },
        }),
    },
    isDead: () => false,
  };
  const stages = { stagesFolder: "stages", folders: { names: async () => [] } };
  const parts = { hub: new LiveHub(), clock, source, stages } as unknown as StudioParts;
  const closing = new AbortController();
  const author = { by: "Mira", knownHow: "flag" };
  const actor: Actor = { author, role: "run", isOperator: true };
  const headers = new Headers();
  const request = { requestId: "1", headers, signal: closing.signal, actor, author };
  const bodies = Array.from({ length: 20 }, () => streamAll(parts, request).text());
  for (let second = 0; second < 3; second += 1) {
    await expect.poll(() => clock.pending().length).toBe(1);
    await clock.advance(1_000);
  }
  await expect.poll(() => clock.pending().length).toBe(1);
  closing.abort();
  const texts = await Promise.all(bodies);
  expect(looks).toBe(4);
  for (const text of texts) {
    expect(text.match(/"what":"finished"/gu)).toHaveLength(3);
    expect(text.match(/(?<=event: waiting\ndata: ).*/gu)).toEqual(
      [1, 2, 3, 4].map((count) => JSON.stringify({ count })),
    );
  }
  expect(clock.pending()).toEqual([]);
});
