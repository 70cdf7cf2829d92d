import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtProgram } from "../../../../tests/support/built-program.ts";
import { exclusivelyConformance } from "../../../testing/exclusively-conformance.ts";
import { createCheckoutLock, createProcessLock } from "./checkout-lock.ts";

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "signoff-lock-"));
  program = await builtProgram(
    new URL("../../../../tests/support/hold-lock.ts", import.meta.url),
    folder,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const freshFolder = (): string => mkdtempSync(join(folder, "checkout-"));

/** A process that holds the lock "notes" of a checkout. */
async function holder(checkout: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, checkout], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

describe("a lock in the checkout", () => {
  it.each(exclusivelyConformance)("$title", async ({ run }) => {
    const checkout = freshFolder();
    await run({ open: () => createCheckoutLock(checkout) });
  });

  it("is refused while another process holds it, and others are free", async () => {
    const checkout = freshFolder();
    const child = await holder(checkout);
    const lock = createCheckoutLock(checkout, { waitMillis: 20 });
    await expect(lock("notes", async () => "taken")).rejects.toMatchObject({
      code: "checkout-busy",
      retryable: true,
    });
    expect(await lock("stages", async () => "taken")).toBe("taken");
    await kill(child);
  });

  it("is free at once when its holder is killed", async () => {
    const checkout = freshFolder();
    const child = await holder(checkout);
    const waiting = createCheckoutLock(checkout)("notes", async () => "taken");
    await kill(child);
    expect(await waiting).toBe("taken");
  });

  it("is waited for until its holder has done its work", async () => {
    const checkout = freshFolder();
    const child = await holder(checkout);
    const closed = once(child, "close");
    const waiting = createCheckoutLock(checkout)("notes", async () => "taken");
    child.stdin!.end();
    expect(await waiting).toBe("taken");
    await closed;
  });
});

describe("a lock of one process", () => {
  it.each(exclusivelyConformance)("$title", async ({ run }) => {
    const lock = createProcessLock();
    await run({ open: () => lock });
  });
});
