import type { Client } from "pg";
import { describe, expect, it } from "vitest";
import { requireSession } from "./require-session.ts";

/** A connection as far as it is looked at: the process it was promised, and the one that answers. */
function connection(processID: number, pid: number): Client {
  const query = async () => ({ rows: [{ pid }] });
  return { processID, query, end: async () => undefined } as unknown as Client;
}

describe("requireSession", () => {
  it("is content with a server that answers from the process it named, and opens nothing more", async () => {
    const none = () => Promise.reject(new Error("a second connection was opened"));
    await expect(requireSession(connection(7, 7), none)).resolves.toBeUndefined();
  });

  it("is content with a pooler that gives two connections two sessions", async () => {
    const other = async () => connection(2, 12);
    await expect(requireSession(connection(1, 11), other)).resolves.toBeUndefined();
  });

  it("refuses a pooler that hands one session to two connections that are both open", async () => {
    const other = async () => connection(2, 11);
    await expect(requireSession(connection(1, 11), other)).rejects.toMatchObject({
      code: "store-pooled",
    });
  });
});
