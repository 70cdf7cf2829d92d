import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../measure.mjs";
import { cli, pathOf, runNode } from "../processes.mjs";
import { signedIn, startStudio, withBrowser } from "../studio.mjs";

const words = ["bread", "rolls", "oven", "flour", "early", "warm", "street", "morning", "salt"];

/** 200 kB of sentences; every `step`-th word is another one. `paragraph` is how many words it has. */
function text({ step, paragraph }) {
  const made = [];
  let length = 0;
  for (let at = 0; length < 200_000; at += 1) {
    const word =
      step > 0 && at % step === 0 ? `new${at}` : `${words[(at * 7) % words.length]}${at % 97}`;
    const end = at % paragraph === paragraph - 1 ? ".\n\n" : " ";
    made.push(word + end);
    length += word.length + end.length;
  }
  return made.join("");
}

const cases = {
  "in paragraphs, every tenth word changed": { step: 10, paragraph: 90 },
  "in one paragraph, every tenth word changed": { step: 10, paragraph: 1e9 },
};

/** The longest time without a frame while 200 kB are compared with 200 kB and shown. */
export async function studioDiff() {
  const figures = [];
  for (const [name, how] of Object.entries(cases)) {
    const { longest, idle } = await measured(how);
    console.error(`${name}: longest gap ${Math.round(longest)} ms, idle ${Math.round(idle)} ms`);
    figures.push({
      figure: `studio: longest frame of a comparison of 2 × 200 kB ${name}`,
      ...{ unit: "ms", ours: longest, bound: 100, boundIs: "the limit", target: 1 },
    });
  }
  return figures;
}

function recipeWithoutLimits() {
  return readFileSync(pathOf("../../recipes/slogan.md"), "utf8")
    .replace("id: slogan", "id: long_text")
    .replace(/max_characters: .*/u, "max_characters: 1000000")
    .replace(/checks:\n(?: {2}- .*\n)+/u, "checks: []\n");
}

function measured(how) {
  return inFolder(async (cwd) => {
    const creator = [text({ ...how, step: 0 }), text(how)];
    const reviewer = ["Too vague.", "Still too vague."];
    writeFileSync(join(cwd, "replies.json"), JSON.stringify({ creator, reviewer }));
    const recipes = join(cwd, "signoff", "recipes");
    mkdirSync(recipes, { recursive: true });
    writeFileSync(join(recipes, "long_text.md"), recipeWithoutLimits());
    const model = ["--recipe", "long_text", "--model", "script:replies.json", "--json"];
    model.push("--max-turns", "2");
    const env = { HOME: cwd, SIGNOFF_USER: "bench" };
    const { stdout, stderr } = runNode([cli, "draft", "a bakery", ...model], { cwd, env });
    const run = /"run_id": ?"([^"]+)"/u.exec(stdout)?.[1];
    if (run === undefined) throw new Error(`No draft was made: ${stderr}`);
    const studio = await startStudio(cwd);
    try {
      return await withBrowser((browser) => watched(browser, studio, run));
    } finally {
      await studio.stop();
    }
  });
}

async function watched(browser, studio, run) {
  const page = await signedIn(browser, studio);
  await page.goto(`${studio.origin}/drafts/${run}`);
  const choice = page.getByLabel("Compare with");
  await choice.waitFor();
  await page.waitForTimeout(1_500);
  const idle = await gapsDuring(page, () => page.waitForTimeout(2_000));
  const other = await choice.locator("option").nth(1).getAttribute("value");
  await choice.selectOption("");
  await page.waitForTimeout(500);
  const longest = await gapsDuring(page, async () => {
    await choice.selectOption(other);
    await page.locator("[data-testid=differences][aria-busy=false]").waitFor();
  });
  return { longest, idle };
}

/** The longest time between two frames. */
async function gapsDuring(page, work) {
  await page.evaluate(() => {
    window.longestGap = 0;
    window.isWatched = true;
    let before = performance.now();
    const look = (now) => {
      window.longestGap = Math.max(window.longestGap, now - before);
      before = now;
      if (window.isWatched) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await work();
  return page.evaluate(() => {
    window.isWatched = false;
    return window.longestGap;
  });
}
