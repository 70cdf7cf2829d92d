import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAssistant, openStory, type Story } from "../support/shop-stories.ts";

const home = "artifacts/domain_runs/shop_pack";
const play = ({ shop }: Story, ...more: readonly string[]) => [
  ...["pack", "run", "--manifest", "pack/pack.yaml", "--assistant-url", shop.url, "-q", ...more],
];
const saving = (folder = home) => [
  ...["pack", "save", "--spec", "pack/pack.yaml", "--validated-run-dir", folder],
];

async function saved(shop: Story, folder = home) {
  const { code, out, err } = await shop.run(...saving(folder));
  return { code, out: `${out}${err}`.replace(/\s+/g, " ") };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Writes new hashes everywhere, as someone would who wants the change not to be seen. */
function rehash(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.name === "scenario_state.json") hashIn(entry.parentPath, entry.name);
  }
  hashIn(folder, "run_manifest.json");
}

function hashIn(folder: string, name: string): void {
  const state = JSON.parse(readFileSync(join(folder, name), "utf8"));
  for (const file of Object.keys(state.files)) {
    state.files[file] = sha256(readFileSync(join(folder, file), "utf8"));
  }
  writeFileSync(join(folder, name), `${JSON.stringify(state, null, 2)}\n`);
}

describe("what is saved as validated is what this project recorded", () => {
  it("a failing run with a rewritten headline and new hashes is not", async () => {
    const shop = await openStory(["temporal"]);
    expect((await shop.run(...play(shop))).code).toBe(1);
    const state = shop.json(`${home}/pack_state.json`);
    shop.write(
      `${home}/pack_state.json`,
      `${JSON.stringify({ ...state, final_status: "accepted", acceptance_gate_passed: true, unresolved_p0_count: 0, reasons: [], repair_targets: [] }, null, 2)}\n`,
    );
    const truth = shop.json(`${home}/truth_review.json`);
    const summary = { overall_status: "pass", steps: 20, failed_steps: 0 };
    shop.write(
      `${home}/truth_review.json`,
      `${JSON.stringify({ ...truth, summary: { ...summary, unresolved_p0: 0, unresolved_p1: 0 } }, null, 2)}\n`,
    );
    const business = shop.json(`${home}/business_review.json`);
    shop.write(
      `${home}/business_review.json`,
      `${JSON.stringify({ ...business, overall_business_status: "pass", business_answer_failures: 0 }, null, 2)}\n`,
    );
    rehash(join(shop.path, home));
    const { code, out } = await saved(shop);
    expect(code).toBe(1);
    expect(out).toContain("final status is partial");
    expect(out).toContain("pack_state.json was changed after the run");
    expect(out).toContain("truth_review.json was changed after the run");
  });

  it("nor one with an answer edited in every file, hashes included", async () => {
    const shop = await openStory();
    await shop.run(...play(shop));
    const place = `${home}/scenarios/changing_dates/steps/step_01_winter`;
    for (const name of ["output.md", "turn.json", "assistant_response.json", "session.json"]) {
      shop.write(`${place}/${name}`, shop.read(`${place}/${name}`).replace(/\d/u, "7"));
    }
    rehash(join(shop.path, home));
    const { code, out } = await saved(shop);
    expect(code).toBe(1);
    expect(out).toContain("step_01_winter/turn.json was changed after the run");
  });

  it("one whose pages an older version worded is, until one of them is edited", async () => {
    const shop = await openStory();
    await shop.run(...play(shop));
    const state = `${home}/scenarios/changing_dates/scenario_state.json`;
    const pages = ["truth_review.md", "scenarios/changing_dates/scenario_brief.md"];
    const reword = (from: string, to: string) => {
      for (const page of [...pages, "scenarios/changing_dates/steps/step_01_winter/output.md"]) {
        shop.write(`${home}/${page}`, shop.read(`${home}/${page}`).replace(from, to));
      }
    };
    reword("\n", "\nWorded as before.\n");
    rehash(join(shop.path, home));
    expect((await saved(shop)).code).toBe(0);
    const names = readdirSync(shop.path, { recursive: true, encoding: "utf8" });
    const { evidence } = shop.json(names.find((name) => name.endsWith(".saved.json")) ?? "");
    expect(evidence).toMatchObject({
      "truth_review.md": sha256(shop.read(`${home}/truth_review.md`)),
    });
    reword("Worded as before.", "All is well.");
    const edited = await saved(shop);
    expect(edited.code).toBe(1);
    for (const page of pages) expect(edited.out).toContain(`${page} was changed after the run`);
    expect(edited.out).not.toContain("scenario_state.json was changed");
    reword("All is well.", "Worded as before.");
    shop.write(state, shop.read(state).replace('"attempt": 1', '"attempt": 2'));
    rehash(join(shop.path, home));
    expect((await saved(shop)).out).toContain("scenario_state.json was changed after the run");
    expect((await shop.run("doctor", "--repair")).code).toBe(0);
    expect((await saved(shop)).code).toBe(0);
  });

  it("nor a copy of the folder from another project", async () => {
    const [mine, theirs] = [await openStory(), await openStory()];
    await theirs.run(...play(theirs));
    cpSync(join(theirs.path, "artifacts"), join(mine.path, "artifacts"), { recursive: true });
    expect(await saved(mine)).toEqual({
      code: 1,
      out: expect.stringContaining("this project has no record of the run"),
    });
    await mine.run("pack", "run", "--manifest", "pack/pack.yaml", "--output-dir", "other", "-q");
    expect((await saved(mine)).code).toBe(1);
  });

  it("nor a failing run that takes the name of an accepted one", async () => {
    const shop = await openStory();
    await shop.run(...play(shop, "--output-dir", "good"));
    shop.shop.setDefects(["temporal"]);
    await shop.run(...play(shop, "--output-dir", "bad"));
    shop.write("bad/run_manifest.json", shop.read("good/run_manifest.json"));
    const { code, out } = await saved(shop, "bad");
    expect(code).toBe(1);
    expect(out).toContain("pack_state.json was changed after the run");
  });

  it("nor one whose files are gone", async () => {
    const shop = await openStory();
    await shop.run(...play(shop));
    rmSync(join(shop.path, home, "scenarios/changing_dates/steps"), { recursive: true });
    const { code, out } = await saved(shop);
    expect(code).toBe(1);
    expect(out).toContain("step_01_winter/turn.json is missing");
    expect(out).toContain("Next: signoff doctor --repair");
    const doctor = await shop.run("doctor");
    expect([doctor.code, doctor.out.replace(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining(`The run in ${home} differs from the store`),
    ]);
    expect((await shop.run("verify")).code).toBe(1);
    expect((await shop.run("doctor", "--repair")).code).toBe(0);
    expect((await shop.run("verify")).code).toBe(0);
    expect((await saved(shop)).code).toBe(0);
  });

  it("and no list calls a rewritten headline accepted", async () => {
    const shop = await openStory(["temporal"]);
    await shop.run(...play(shop));
    const state = shop.json(`${home}/pack_state.json`);
    const better = { ...state, final_status: "accepted", acceptance_gate_passed: true };
    shop.write(`${home}/pack_state.json`, `${JSON.stringify(better, null, 2)}\n`);
    const listed = await shop.run("runs", "list");
    expect(listed.out).toContain("partial");
    expect(listed.out).not.toMatch(/accepted|finished +pack/u);
    const verified = await shop.run("verify", home, "--json");
    expect(verified.code).toBe(1);
    const [standing] = JSON.parse(verified.out).standings;
    expect(standing).toMatchObject({ kind: "pack-run", name: home, accepted: false });
  });

  it("nor does a stand-in prove a pack whose settings name a model", async () => {
    const shop = await openStory();
    const loop = ["pack", "loop", "--manifest", "pack/pack.yaml", "--output-dir", "loop", "-q"];
    const by = ["--assistant-url", shop.shop.url, "--analyst", "offline/rules"];
    expect((await shop.run(...loop, ...by)).code).toBe(0);
    expect(await saved(shop, "loop")).toEqual({
      code: 0,
      out: expect.stringContaining("decided by a built-in stand-in, not by a model"),
    });
    shop.write("signoff.yaml", "version: 1\nmodels: { analyst: openai/gpt-5 }\n");
    const { code, out } = await saved(shop, "loop");
    expect(code).toBe(1);
    expect(out).toContain("the settings name openai/gpt-5");
  });

  it("nor a failing run after the checks were relaxed", async () => {
    const echo = await openAssistant(() => ({ assistant_reply: "5 pieces.\n\nplanner_ok" }));
    const shop = await openStory();
    shop.write(
      "pack/pack.yaml",
      "scenario_id: one\ndomain: d\nsteps: [{ step_id: a, question: How many desks? }]\n",
    );
    const played = [...play(shop, "--output-dir", home), "--skip-question-review"];
    expect((await shop.run(...played, "--assistant-url", echo.url)).code).toBe(1);
    shop.write("signoff.yaml", "version: 1\nscenarios: { garbage_markers: [none-of-these] }\n");
    const { code, out } = await saved(shop);
    expect(code).toBe(1);
    expect(out).toContain("when the run ended: final status is partial");
  });

  it("but an honest run is, also under another title or from the archive", async () => {
    const shop = await openStory();
    await shop.run(...play(shop));
    const { run_id: id } = shop.json(`${home}/run_manifest.json`);
    await shop.run(...play(shop));
    shop.write("pack/pack.yaml", shop.read("pack/pack.yaml").replace("The shop's books", "Books"));
    expect((await saved(shop)).code).toBe(0);
    expect((await saved(shop, `${home}.runs/${id}`)).code).toBe(0);
  });
});
