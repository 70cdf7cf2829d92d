// The studio in a process of its own, which says how much memory it has left after collecting its garbage.
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";
import { openStudio } from "../../src/wiring/studio/studio.ts";

const [root] = process.argv.slice(2);
const environment = readEnvironment({});
const bugs = [];
const studio = await openStudio({
  ...{ root, environment, port: 0, adopt: false },
  loaded: await loadProjectSettings({ root, environment, flags: {} }),
  author: { by: "Mira", knownHow: "flag" },
  report: (error) => bugs.push(String(error?.stack ?? error)),
});
process.on("message", async (message) => {
  if (message === "stop") {
    await studio.stop("now");
    process.exit();
  }
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, heapUsed, external, bugs: bugs.splice(0) });
});
process.send({ url: studio.url });
