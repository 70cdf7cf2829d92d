import { createCheckoutLock } from "../../src/adapters/persistence/sqlite/checkout-lock.ts";

/** A process that takes the lock "notes" of a folder, says so, and keeps it until it is killed. */
const [folder = ""] = process.argv.slice(2);
await createCheckoutLock(folder)("notes", async () => {
  process.stdout.write("held\n");
  setInterval(() => undefined, 1_000);
  await new Promise(() => undefined);
});
