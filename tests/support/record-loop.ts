import { openStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { key } from "../../src/domain/values/ids.ts";
import { heldRun, recorded } from "../../src/testing/run-store-stories.ts";

/** A process that records replies and prints each key once its reply is safe: path, run, count. */
const [path = "", run = "", count = ""] = process.argv.slice(2);
const store = openStore({ path, mode: "write" });
const lease = await heldRun(store.runs, run);
for (let turn = 1; turn <= Number(count); turn += 1) {
  const at = key("turn", turn);
  await store.runs.record(lease, recorded(`reply ${turn} of ${run}`, at), []);
  process.stdout.write(`${at}\n`);
}
store.close();
