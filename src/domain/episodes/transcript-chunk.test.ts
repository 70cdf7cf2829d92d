import { expect, test } from "vitest";
import { makeChunkMeta } from "./transcript-chunk.ts";

const chunk = { chunkId: 1, textRelpath: "chunk_0001.txt", provenance: [] };

test.each([{}, { startSec: 5 }, { endSec: 5 }, { startSec: 5, endSec: 6 }])(
  "a chunk with the times %j is taken as it is",
  (times) => {
    expect(makeChunkMeta({ ...chunk, ...times })).toEqual({ ...chunk, ...times });
  },
);

test.each([
  [{ startSec: 5, endSec: 5 }, "chunk 1 ends at 5, not after its start at 5"],
  [{ startSec: 5, endSec: 4 }, "chunk 1 ends at 4, not after its start at 5"],
  [{ chunkId: 0 }, "chunk id 0 is not 1 or more"],
  [{ chunkId: 1.5 }, "chunk id 1.5 is not 1 or more"],
])("a chunk with %j is refused", (change, message) => {
  expect(() => makeChunkMeta({ ...chunk, ...change })).toThrow(message);
});
