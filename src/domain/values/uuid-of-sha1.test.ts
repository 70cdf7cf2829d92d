import { expect, it } from "vitest";
import { isOver } from "./is-over.ts";
import { uuidOfSha1 } from "./uuid-of-sha1.ts";

it.each([
  ["0123456789abcdef0123456789abcdef01234567", "01234567-89ab-5def-8123-456789abcdef"],
  ["0123456789abcdef7123456789abcdef01234567", "01234567-89ab-5def-b123-456789abcdef"],
  ["ffffffffffffffffffffffffffffffffffffffff", "ffffffff-ffff-5fff-bfff-ffffffffffff"],
])("the SHA-1 %s is the UUID %s, with its version and variant", (sha1, uuid) => {
  expect(uuidOfSha1(sha1)).toBe(uuid);
});

it("a run is over when it has finished or was cancelled, and can be resumed otherwise", () => {
  const states = ["queued", "running", "waiting", "stopped", "failed", "finished", "cancelled"];
  expect(states.filter((state) => isOver({ state }))).toEqual(["finished", "cancelled"]);
});
