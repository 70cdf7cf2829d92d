import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShopProject, type ShopProject } from "../../tests/support/shop-project.ts";
import { studioWithoutSocket } from "../../tests/support/studio.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever the server answered
const json = async (response: Promise<Response>): Promise<any> => (await response).json();

describe("packs over HTTP", () => {
  let shop: ShopProject;
  let first: string;
  let second: string;
  beforeAll(async () => {
    shop = await openShopProject();
    shop.setDefects("carryover");
    first = await shop.playPack();
    shop.setDefects();
    second = await shop.playPack();
  });
  afterAll(() => shop.close());

  it("are found on the disk, runs that stand aside too, with how many steps passed in each", async () => {
    const studio = await studioWithoutSocket(shop.root);
    const { packs } = await json(studio.ask("GET", "/api/v1/packs"));
    expect(packs).toMatchObject([{ pack_id: "shop_pack", title: "The shop's books", runs: 2 }]);
    const { runs } = await json(studio.ask("GET", "/api/v1/packs/shop_pack"));
    expect(runs).toMatchObject([
      { run_id: second, accepted: true, steps: 19, steps_passed: 19, outcome: "accepted" },
      { run_id: first, accepted: false, steps: 19, outcome: "partial", recorded: true },
    ]);
    expect(runs[1].steps_passed).toBeLessThan(19);
  });

  it("end in the same word in the list of all runs, and a rewritten headline is damage", async () => {
    const studio = await studioWithoutSocket(shop.root);
    const { runs } = await json(studio.ask("GET", "/api/v1/runs?kind=pack"));
    const words = runs.map((run: { run_id: string; outcome: string }) => [run.run_id, run.outcome]);
    expect(new Map(words)).toEqual(
      new Map([
        [second, "accepted"],
        [first, "partial"],
      ]),
    );
    const file = join(shop.root, `artifacts/domain_runs/shop_pack.runs/${first}/pack_state.json`);
    const state = readFileSync(file, "utf8");
    writeFileSync(file, state.replace('"partial"', '"accepted"'));
    const pack = await json(studio.ask("GET", "/api/v1/packs/shop_pack"));
    writeFileSync(file, state);
    expect(pack.runs).toContainEqual(
      expect.objectContaining({ run_id: first, state: "damaged", accepted: false }),
    );
  });

  it("show a run as the command prints it, and compare two like the command", async () => {
    const studio = await studioWithoutSocket(shop.root);
    const report = await json(studio.ask("GET", `/api/v1/pack-runs/${first}`));
    expect(report).toMatchObject({ run_id: first, kind: "pack", accepted: false });
    expect(report.scenarios).toHaveLength(4);
    const verdict = await json(studio.ask("GET", `/api/v1/pack-runs/${first}/verdict`));
    expect(verdict).toEqual({ loop: null, verdict: null, problems: [] });
    const path = `/api/v1/pack-comparison?before=${first}&after=${second}`;
    const { divergences, better, worse } = await json(studio.ask("GET", path));
    expect(divergences[0]).toMatchObject({
      scenario_id: expect.any(String),
      first_step: expect.any(String),
    });
    expect(better.length).toBeGreaterThan(0);
    expect(worse).toEqual([]);
  });

  it("are asked again, all or some scenarios, once for each key and never as a part of another run", async () => {
    const studio = await studioWithoutSocket(shop.root);
    const again = { scenarios: ["changing_dates"] };
    const repeat = (run: string, body: object) =>
      studio.ask("POST", `/api/v1/pack-runs/${run}/repeat`, body, {
        "idempotency-key": "once-more",
      });
    const answer = await repeat(first, again);
    expect(answer.status).toBe(202);
    const { run_id } = await answer.json();
    await studio.project.engine.ending(run_id, new AbortController().signal);
    expect((await json(repeat(first, again))).run_id).toBe(run_id);
    const other = await repeat(second, again);
    expect([other.status, (await other.json()).code]).toEqual([409, "idempotency-key-reused"]);
    const run = await json(studio.ask("GET", `/api/v1/runs/${run_id}`));
    expect(run).toMatchObject({
      outcome: "accepted",
      place: { kind: "pack_run", id: "shop_pack", part: run_id },
    });
    const { runs, steps } = await json(studio.ask("GET", "/api/v1/packs/shop_pack/steps"));
    expect(runs.map((one: { run_id: string }) => one.run_id)).toEqual([first, second, run_id]);
    const changed = steps.find(
      (step: { scenario_id: string }) => step.scenario_id === again.scenarios[0],
    );
    expect(changed.statuses).toHaveLength(3);
    const { runs: parts } = await json(studio.ask("GET", `/api/v1/runs/${second}/parts`));
    const refused = await studio.ask("POST", `/api/v1/pack-runs/${parts[0].run_id}/repeat`, {});
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect((await refused.json()).code).toBe("not-repeatable");
  });

  it("give the payload of a step that the run has, and of nothing else", async () => {
    const studio = await studioWithoutSocket(shop.root);
    const steps = `/api/v1/pack-runs/${first}/scenarios/changing_dates/steps`;
    const detail = await json(studio.ask("GET", `${steps}/step_01_winter`));
    expect(detail.debug).not.toEqual({});
    expect(detail.failure).toBeNull();
    for (const path of [
      `${steps}/step_99`,
      `${steps}/..%2Fstep_01_winter`,
      `/api/v1/pack-runs/${first}/scenarios/..%2F..%2Fshop_pack/steps/step_01_winter`,
      "/api/v1/pack-runs/00000000-0000-4000-8000-000000000000",
      "/api/v1/packs/no_such_pack",
      "/api/v1/packs/..%2f..%2fetc",
    ]) {
      expect([path, (await studio.ask("GET", path)).status]).toEqual([path, 404]);
    }
  });

  it("are found in the folder that a command was given, and a damaged or unfinished one is named", async () => {
    const elsewhere = await shop.playPack({ folder: "evidence/may" });
    const broken = "11111111-1111-4111-8111-111111111111";
    const begun = "22222222-2222-4222-8222-222222222222";
    const leave = (runId: string, finished: boolean) => {
      const folder = join(shop.root, "artifacts/domain_runs", runId);
      mkdirSync(folder);
      const manifest = { run_id: runId, kind: "pack", subject: "left_behind", finished, files: {} };
      const version = { schema_version: "domain_run_manifest_v1", spec_hash: "a".repeat(64) };
      writeFileSync(join(folder, "run_manifest.json"), JSON.stringify({ ...version, ...manifest }));
    };
    leave(broken, true);
    leave(begun, false);
    const studio = await studioWithoutSocket(shop.root);
    const { runs } = await json(studio.ask("GET", "/api/v1/packs/shop_pack"));
    expect(runs.map((run: { run_id: string }) => run.run_id)).toContain(elsewhere);
    const left = await json(studio.ask("GET", "/api/v1/packs/left_behind"));
    const states = left.runs.map((run: { state: string }) => run.state);
    expect(states.sort()).toEqual(["damaged", "unfinished"]);
    expect(await json(studio.ask("GET", `/api/v1/pack-runs/${begun}`))).toMatchObject({
      code: "run-unfinished",
    });
    expect((await studio.ask("GET", `/api/v1/pack-runs/${broken}`)).status).toBe(409);
  });
});

describe("stages over HTTP", () => {
  let shop: ShopProject;
  beforeAll(async () => {
    shop = await openShopProject();
    await shop.playStage();
    await shop.repairStage();
  });
  afterAll(() => shop.close());

  it("list what blocks the gate, every repair, and documents by id; a blocked stage cannot be closed", async () => {
    const studio = await studioWithoutSocket(shop.root);
    const { stages } = await json(studio.ask("GET", "/api/v1/stages"));
    expect(stages).toMatchObject([
      {
        stage_id: "shop_answers",
        next_action: "rerun_and_ingest_validation",
        stage_closing_gate: { status: "blocked_pending_repair_validation" },
        repairs: 1,
        is_at_work: false,
      },
    ]);
    const { packs } = await json(studio.ask("GET", "/api/v1/packs"));
    expect(packs[0].recent).toMatchObject([
      { stage_id: "shop_answers", loop: { iteration: 1, score: expect.any(Number) } },
    ]);
    const verdict = `/api/v1/pack-runs/${packs[0].recent[0].run_id}/verdict`;
    expect(await json(studio.ask("GET", verdict))).toMatchObject({
      loop: { target_score: 88, accepted: false, stand_in: true },
      verdict: { loop_decision: "partial" },
    });
    const detail = await json(studio.ask("GET", "/api/v1/stages/shop_answers"));
    expect(detail.repairs).toMatchObject([
      { iteration_id: "repair-01", is_proven: false, execution: { coder_status: "patched" } },
    ]);
    const handOff = detail.documents.find(({ name }: { name: string }) =>
      name.endsWith("lead_coder_handoff.md"),
    );
    const document = `/api/v1/stages/shop_answers/documents/${handOff.document_id}`;
    expect((await json(studio.ask("GET", document))).text).toContain("# Repair hand-off");
    expect((await studio.ask("GET", `${document.slice(0, -16)}${"0".repeat(16)}`)).status).toBe(
      404,
    );
    expect((await studio.ask("GET", "/api/v1/stages/..%2Fshop_pack")).status).toBe(404);
    const body = { version: detail.version, reason: "looks fine" };
    const refused = studio.ask("POST", "/api/v1/stages/shop_answers/confirmation", body);
    expect(await json(refused)).toMatchObject({
      code: "gate-not-open",
      details: [expect.stringContaining("loop-01"), expect.stringContaining("repair-01")],
    });
    const rule = (seen: number) =>
      studio.ask("POST", "/api/v1/stages/shop_answers/ruling", {
        ...{ version: seen, about: "repair", id: "repair-02", reason: "looks fine" },
      });
    expect(await json(rule(detail.version - 1))).toMatchObject({ code: "stage-moved" });
    expect(await json(rule(detail.version))).toMatchObject({ code: "repair-clear" });
  });

  it("are confirmed once: the second person reads who was first", async () => {
    await shop.playStage();
    const studio = await studioWithoutSocket(shop.root);
    const { version, stage } = await json(studio.ask("GET", "/api/v1/stages/shop_answers"));
    expect(stage.stage_closing_gate.status).toBe("ready_for_manual_confirmation");
    const confirm = (by: string, seen: number) =>
      studio.ask("POST", "/api/v1/stages/shop_answers/confirmation", {
        version: seen,
        reason: "I asked it myself.",
        by,
      });
    expect((await confirm("Noor", version - 1)).status).toBe(409);
    const both = await Promise.all([confirm("Mira", version), confirm("Noor", version)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won, lost] = both.sort((a, b) => a.status - b.status) as [Response, Response];
    const closed = await json(Promise.resolve(won));
    expect(closed.stage.stage_closing_gate.status).toBe("closed");
    const { event } = closed.stage.history.at(-1);
    expect(event).toMatchObject({ kind: "stage-closed", reason: "I asked it myself." });
    expect(await json(Promise.resolve(lost))).toMatchObject({
      code: "stage-moved",
      message: `${event.confirmed_by} has confirmed and closed this stage meanwhile.`,
    });
    const reopen = (seen: number) =>
      studio.ask("POST", "/api/v1/stages/shop_answers/reopening", {
        version: seen,
        reason: "A customer complained.",
      });
    expect(await json(reopen(version))).toMatchObject({ code: "stage-moved" });
    expect((await reopen(closed.version)).status).toBe(200);
  });
});
