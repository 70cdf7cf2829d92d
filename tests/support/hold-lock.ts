import { createCheckoutLock } from "../../src/adapters/persistence/sqlite/checkout-lock.ts";

/** A process that takes the lock "notes" of a folder, prints so, and keeps it until its input ends or it is killed. */
const [folder = ""] = process.argv.slice(2);
await createCheckoutLock(folder)("notes", async () => {
  process.stdout.write("held\n");
  await new Promise((resolve) => process.stdin.resume().on("end", resolve));
});
