import { join } from "node:path";
import Database from "better-sqlite3";
import { inFolder, median, timed } from "../measure.mjs";
import {
  fillWithRuns,
  signedIn,
  startStudio,
  timeToAnswer,
  timeToShow,
  withBrowser,
} from "../studio.mjs";

const few = 100;
const many = 100_000;

const lists = {
  "first page of the runs": "runs?parts=hidden",
  "runs in one state": "runs?state=waiting",
  drafts: "drafts",
  inbox: "inbox",
  home: "home",
  "search for a word that is in every title": "runs?text=water",
  "search for the newest run by its whole title": "runs?text=water%20bottles%201",
  "search for a word that is in no title": "runs?text=quinoa",
  "search by a cost that no run has": "runs?min_micro_usd=1000000",
};

/** What the studio's lists take with 100,000 runs, beside the same with 100. */
export async function studioLists() {
  const bound = await measured(few);
  const ours = await measured(many);
  const boundIs = `with ${few} runs`;
  const firstPages = Object.keys(ours.lists).map((name) => ({
    figure: `studio, 100,000 runs: ${name}`,
    ...{ unit: "ms", ours: ours.lists[name], bound: bound.lists[name], boundIs },
    target: 2,
  }));
  const whole = {
    figure: "studio, 100,000 runs: search for a word that is in no title, to the oldest run",
    ...{ unit: "ms", ours: ours.whole, bound: ours.scan, boundIs: "SQLite reading every title" },
    // Our own limit: four requests instead of one statement.
    target: 6,
  };
  return [...firstPages, whole];
}

/** Page by page until every run was looked at. */
async function searchToTheEnd(studio) {
  let cursor;
  do {
    const page = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    cursor = (await studio.ask(`runs?text=quinoa${page}`)).next_cursor;
  } while (cursor !== null);
}

/** The same search as one bare statement. */
function scanTitles(cwd) {
  const database = new Database(join(cwd, ".signoff", "signoff.db"), { readonly: true });
  const count = database.prepare("SELECT COUNT(*) FROM run_lines WHERE words LIKE '%quinoa%'");
  const times = rounds.map(() => {
    const began = performance.now();
    count.get();
    return performance.now() - began;
  });
  database.close();
  return median(times);
}

const rounds = [1, 2, 3, 4, 5];

function measured(count) {
  return inFolder(async (cwd) => {
    fillWithRuns(cwd, count);
    const studio = await startStudio(cwd);
    try {
      const first = await timed(() => studio.ask("runs?text=quinoa"));
      console.error(`first search ever, ${count} runs: ${Math.round(first)} ms`);
      const times = {};
      for (const [name, path] of Object.entries(lists)) {
        times[name] = await timeToAnswer(studio, path);
      }
      await withBrowser(async (browser) => {
        const page = await signedIn(browser, studio);
        times["the page of the runs, loaded anew"] = await timeToShow(
          page,
          `${studio.origin}/runs`,
          "[role=row] a",
        );
        times["the page of Home, loaded anew"] = await timeToShow(
          page,
          `${studio.origin}/`,
          "section[aria-label='Needs you']",
        );
      });
      const searches = [];
      for (const _ of rounds) searches.push(await timed(() => searchToTheEnd(studio)));
      return { lists: times, whole: median(searches), scan: scanTitles(cwd) };
    } finally {
      await studio.stop();
    }
  });
}
