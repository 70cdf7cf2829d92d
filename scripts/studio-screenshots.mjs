// Makes docs/studio/*.png from a project that is made offline: each page, at both widths, in both themes.
// Names of pictures as arguments make only those.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const signoff = new URL("../dist/bin/signoff.js", import.meta.url).pathname;
const folder = new URL("../docs/studio/", import.meta.url).pathname;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const root = mkdtempSync(join(tmpdir(), "signoff-studio-"));
const environment = { ...process.env, SIGNOFF_USER: "Mira Holm", HOME: root };

const stories = [
  {
    brief: "a night train from Hamburg to Lisbon, for people who would rather sleep than fly",
    creator: [
      "Sleep through Europe.",
      "Board in Hamburg, wake up by the sea.",
      "Fall asleep in Hamburg, wake up by the sea.",
    ],
    reviewer: [
      "Fine rhythm, but it could be any train. Name where it goes.",
      "Nearly: say what one does on the way, not only where one boards.",
      "SHIP IT!",
    ],
    turns: 5,
  },
  {
    brief: "repair workshops for headphones, in three cities",
    creator: ["Hear it again.", "Hear it again, better.", "Hear it again, for years."],
    reviewer: [
      "Pleasant, but nobody would guess that something is repaired.",
      "Still no repair in it.",
      "Closer; the workshop is missing, and so is the city.",
    ],
    turns: 3,
  },
  {
    brief: "a library card for tools: borrow a drill instead of buying one",
    creator: ["Borrow the drill, keep the hole.", "Borrow the drill. Keep the shelf."],
    reviewer: [
      "Funny, but a hole is not what people want to keep.",
      "The second half is still unclear.",
    ],
    turns: 2,
  },
];

function run(...args) {
  return spawnSync(process.execPath, [signoff, ...args], { cwd: root, env: environment });
}

stories.forEach(({ brief, creator, reviewer, turns }, at) => {
  const script = `replies-${at}.json`;
  writeFileSync(join(root, script), JSON.stringify({ creator, reviewer }));
  run("draft", brief, "--script", script, "--max-turns", String(turns), "--quiet");
});
for (const brief of [
  "eco-friendly water bottles for people who hike",
  "smart watches that last a month on one charge",
  "a podcast about tides and the people who live by them",
]) {
  run("draft", brief, "--candidates", "2", "--quiet");
}

const defects = join(root, "examples/stage/assistant-defects.txt");
cpSync(new URL("../examples/", import.meta.url).pathname, join(root, "examples"), {
  recursive: true,
});
const assistant = spawn(
  process.execPath,
  [signoff, "demo", "assistant", "--port", "0", "--defect-file", defects],
  { cwd: root, env: environment, stdio: ["ignore", "pipe", "inherit"] },
);
const assistantUrl = await new Promise((resolve) => {
  assistant.stdout.once("data", (data) => resolve(/http:\/\/[\d.]+:\d+/.exec(String(data))?.[0]));
});
const shop = ["--manifest", "examples/scenario-pack/pack.yaml", "--assistant-url", assistantUrl];
for (const wrong of ["garbage\ncarryover", "temporal\ncarryover", "carryover"]) {
  writeFileSync(defects, wrong);
  run("pack", "run", ...shop, "--quiet");
}
const stages = {
  counter_answers: "How the counter answers",
  night_reports: "Reports of the night shift",
  shop_answers: "The shop's answers",
};
for (const [id, name] of Object.entries(stages)) {
  const manifest = `examples/stage/${id}.yaml`;
  const text = readFileSync(join(root, "examples/stage/stage.yaml"), "utf8");
  writeFileSync(
    join(root, manifest),
    text.replace("shop_answers", id).replace("The shop's answers", name),
  );
  const stage = (command, ...more) => run("stage", command, "--manifest", manifest, ...more);
  writeFileSync(defects, id === "counter_answers" ? "" : "garbage");
  stage("run", "--assistant-url", assistantUrl, "--quiet");
  if (id === "counter_answers") continue;
  stage("prepare-repair");
  stage("run-repair", "--coder", "node", "examples/stage/coders/fixes.mjs");
  if (id === "night_reports") continue;
  stage("run", "--assistant-url", assistantUrl, "--quiet");
}
assistant.kill("SIGINT");

const server = spawn(process.execPath, [signoff, "studio", "--port", "0", "--print-url"], {
  cwd: root,
  env: environment,
  stdio: ["ignore", "pipe", "inherit"],
});
const url = await new Promise((resolve, reject) => {
  server.stdout.once("data", (data) => resolve(String(data).trim()));
  server.once("exit", () => reject(new Error("The studio did not start.")));
});
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  mkdirSync(folder, { recursive: true });
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"]) await photograph(width, colorScheme);
  }
} finally {
  await browser.close();
  server.kill("SIGINT");
  await new Promise((resolve) => server.once("exit", resolve));
  rmSync(root, { recursive: true, force: true });
}

/** The bar at the bottom of a small screen belongs to its end, so pictures are as high as their page. */
function shortest(width) {
  return width === 390 ? 844 : 800;
}

async function photograph(width, colorScheme) {
  const page = await browser.newPage({
    viewport: { width, height: shortest(width) },
    colorScheme,
  });
  const origin = url.split("#")[0];
  await page.goto(url);
  await page.getByRole("heading", { name: "What is going on" }).waitFor();
  const { runs } = await page.evaluate(async () => (await fetch("/api/v1/runs")).json());
  const pack = await page.evaluate(async () => (await fetch("/api/v1/packs/shop_pack")).json());
  const plain = pack.runs.filter(({ loop }) => loop === null).map(({ run_id }) => run_id);
  const judged = pack.runs.findLast(({ loop, accepted }) => loop !== null && !accepted).run_id;
  const draft = runs.find(({ title }) => title.startsWith("a night train"));
  const pages = {
    home: "",
    draft: `drafts/${draft.run_id}`,
    differences: `drafts/${draft.run_id}?turn=3&against=2`,
    inbox: "inbox",
    runs: "runs",
    "new-draft": "drafts/new",
    packs: "packs",
    pack: "packs/shop_pack",
    "pack-run": `packs/shop_pack/runs/${judged}?scenario=selected_object`,
    comparison: `packs/shop_pack/compare?before=${plain[1]}&after=${plain[0]}`,
    stages: "stages",
    stage: "stages/night_reports",
    "stage-ready": "stages/shop_answers",
  };
  const wanted = process.argv.slice(2);
  for (const [name, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await page.goto(origin + path);
    await page.locator("h1").waitFor();
    await page.waitForFunction(() => document.querySelector(".skeleton") === null);
    await page.evaluate(() => document.fonts.ready);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.max(shortest(width), height) });
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    await page.setViewportSize({ width, height: shortest(width) });
    console.log(`docs/studio/${name}-${width}-${colorScheme}.png`);
  }
  await page.close();
}
