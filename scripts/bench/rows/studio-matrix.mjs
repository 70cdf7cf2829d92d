import { join } from "node:path";
import { inFolder } from "../measure.mjs";
import { acceptEverything, makeRepository } from "../notes-generator.mjs";
import { signedIn, startStudio, timeToAnswer, timeToShow, withBrowser } from "../studio.mjs";

/** The matrix of notes and gates with 500,000 pairs, beside one with 100. */
export async function studioMatrix() {
  const bound = await measured({ notes: 10, gates: 10 });
  const ours = await measured({ notes: 10_000, gates: 50 });
  return Object.keys(ours).map((name) => ({
    figure: `studio, 10,000 × 50 pairs: ${name}`,
    ...{ unit: "ms", ours: ours[name], bound: bound[name], boundIs: "with 10 × 10 pairs" },
    target: 2,
  }));
}

function measured(size) {
  return inFolder(async (folder) => {
    const root = join(folder, "repository");
    acceptEverything(root, makeRepository(root, size), "offline/rules");
    const studio = await startStudio(root);
    try {
      const server = await timeToAnswer(studio, "notes/matrix", 9);
      const page = await withBrowser(async (browser) => {
        const opened = await signedIn(browser, studio);
        return {
          "the page, loaded anew": await timeToShow(
            opened,
            `${studio.origin}/notes`,
            "[role=gridcell]",
            5,
          ),
          "scrolling to the last row": await timeToScroll(opened),
        };
      });
      return { "the server's answer": server, ...page };
    } finally {
      await studio.stop();
    }
  });
}

/** From the key to the painted cells at the end of the matrix. */
function timeToScroll(page) {
  return page.evaluate(async () => {
    const grid = document.querySelector("[role=grid]");
    const cell = grid.querySelector("[role=gridcell]");
    cell.focus();
    const times = [];
    for (const key of ["End", "Home", "End", "Home", "End"]) {
      const began = performance.now();
      const press = new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true });
      document.activeElement.dispatchEvent(press);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[2];
  });
}
