// Makes docs/studio/*.png from a project that is made offline: each page, wide in light and narrow in dark colours.
// Names of pictures as arguments make only those.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStudio } from "./open-studio.mjs";

const folder = new URL("../docs/studio/", import.meta.url).pathname;
const user = { SIGNOFF_USER: "Mira Holm" };
const { url, browser, signoff, close } = await openStudio(
  ["demo", "--studio"],
  user,
  "signoff-demo",
);
const origin = url.split("#")[0];
const wanted = process.argv.slice(2);
try {
  mkdirSync(folder, { recursive: true });
  await photograph(1280, "light");
  await photograph(390, "dark");
  await photographPeople();
} finally {
  await close();
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
  page.setDefaultTimeout(300_000);
  await page.goto(url);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  const { runs } = await page.evaluate(async () => (await fetch("/api/v1/drafts")).json());
  const pack = await page.evaluate(async () => (await fetch("/api/v1/packs/shop_pack")).json());
  const plain = pack.runs.filter(({ loop }) => loop === null).map(({ run_id }) => run_id);
  const judged = pack.runs.findLast(({ loop, accepted }) => loop !== null && !accepted).run_id;
  const { episodes } = await page.evaluate(async () => (await fetch("/api/v1/episodes")).json());
  const episode = `episodes/${episodes[0].id}`;
  const draft = runs.find(({ title }) => title.startsWith("a night train"));
  const pages = {
    home: "",
    draft: `drafts/${draft.run_id}`,
    differences: `drafts/${draft.run_id}?turn=3&against=2`,
    inbox: "inbox",
    runs: "runs",
    "new-draft": "drafts/new",
    episodes: "episodes",
    episode,
    asset: `${episode}/description`,
    notes: "notes?path=notes/complaints.md&of=semantic/title-body-alignment",
    run: `runs/${plain[0]}`,
    packs: "packs",
    pack: "packs/shop_pack",
    "pack-run": `packs/shop_pack/runs/${judged}?scenario=selected_object`,
    comparison: `packs/shop_pack/compare?before=${plain[1]}&after=${plain[0]}`,
    stages: "stages",
    stage: "stages/night_reports",
    "stage-ready": "stages/shop_answers",
  };
  for (const [name, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await page.goto(origin + path);
    await page.locator("h1").waitFor();
    if (name === "notes") {
      await page.getByText("Staleness over").click();
      await page.getByText("The present notes and gates").waitFor();
    }
    await save(page, `${name}-${width}-${colorScheme}`, width);
  }
  await page.close();
}

/** When everything has arrived. */
async function save(page, name, width = 1280) {
  await page.waitForFunction(() => !document.body.innerText.includes("Loading…"));
  // Charts are drawn by a library that comes after the page.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('figure > div[class*="place"]')].every(
      (place) => place.childElementCount > 0,
    ),
  );
  await page.evaluate(() => document.fonts.ready);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(shortest(width), height) });
  await page.evaluate(() => scrollTo(0, 0));
  // The matrix of notes grows with the window, so the page may still be longer.
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.setViewportSize({ width, height: shortest(width) });
  console.log(`docs/studio/${name}.png`);
}

/** How it looks to several people: the sign-in, what another has open, and what a role does not allow. */
async function photographPeople() {
  const names = ["sign-in", "shared-inbox", "role"];
  if (wanted.length > 0 && !names.some((name) => wanted.includes(name))) return;
  const visit = async (path, token) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(`${origin}${path}${token === undefined ? "" : `#token=${token}`}`);
    await page.locator("h1").waitFor();
    return page;
  };
  const tokenOf = (name, role) =>
    signoff("people", "add", name, "--role", role, "--json").match(/"token": ?"([^"]+)"/)[1];
  await save(await visit(""), "sign-in-1280-light");
  const [ann, lou] = [tokenOf("Ann Lee", "decide"), tokenOf("Lou Park", "look")];
  await visit("inbox", ann);
  const other = await visit("inbox", tokenOf("Rae Stone", "run"));
  await other.getByText("Ann Lee has this open").first().waitFor();
  await save(other, "shared-inbox-1280-light");
  const looking = await visit("stages/night_reports", lou);
  await looking.getByText("(role run)").first().waitFor();
  await save(looking, "role-1280-light");
}
