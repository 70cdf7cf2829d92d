import { describe, expect, it } from "vitest";
import { preparedFolder } from "../support/prepared-folder.ts";
import { newProjectFolder } from "../support/studio.ts";
import { makeEpisode, makeNotes, signoffIn } from "../support/studio-episode.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

const bakery = preparedFolder(makeNotes);
const podcast = preparedFolder(makeEpisode);

async function twoStudios(story: typeof bakery) {
  const root = newProjectFolder();
  story.copyTo(root);
  const start = () => startStudioProcess(root, ["studio", "--port", "0"]);
  return { root, studios: [await start(), await start()] as const };
}

async function json(answer: Promise<Response>) {
  const response = await answer;
  return { status: response.status, body: await response.json() };
}

/** The same request to both servers at the same moment, several times. */
async function atOnce(
  studios: readonly StudioProcess[],
  path: string,
  body: object,
  headers: { readonly [name: string]: string } = {},
) {
  const asked = [...studios, ...studios].map((studio) =>
    json(studio.ask("POST", path, body, headers)),
  );
  return Promise.all(asked);
}

describe("two servers on one store", () => {
  it("count one acknowledgement and one dismissal, and tell everybody else", async () => {
    const { root, studios } = await twoStudios(bakery);
    const [first] = studios;
    const matrix = (await json(first.ask("GET", "/api/v1/notes/matrix"))).body;
    const note_id = matrix.note_ids[matrix.notes.indexOf("notes/allergens.md")];
    const gate = "prose/stock-phrases";
    const place = `/api/v1/notes/pair?note_id=${note_id}&gate=${gate}`;
    const { version } = (await json(first.ask("GET", place))).body;
    const act = { note_id, gate, version, reason: "one more fact" };
    const acked = await atOnce(studios, "/api/v1/notes/acknowledge", act);
    expect(acked.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const history = await signoffIn(root, "notes", "history", "notes/allergens.md");
    expect(history.match(/one more fact/gu)).toHaveLength(1);

    const { notes } = (await json(first.ask("GET", "/api/v1/notes/work"))).body;
    const [{ fingerprint }] = notes[0].findings;
    const dismissal = { fingerprint, reason: "it is a quotation" };
    const dismissed = await atOnce(studios, "/api/v1/notes/dismiss", dismissal);
    expect(dismissed.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it("start one run for one idempotency key, whichever of them is asked", async () => {
    const { studios } = await twoStudios(podcast);
    const [first] = studios;
    const { episodes } = (await json(first.ask("GET", "/api/v1/episodes"))).body;
    const episode = `/api/v1/episodes/${episodes[0].id}`;
    const drafts = { asset_ids: ["description"], anew: true };
    for (const [path, body, name] of [
      ["/api/v1/drafts", { brief: "a night train to Lisbon" }, "one-draft"],
      [`${episode}/draft`, drafts, "more-drafts"],
      [`${episode}/review`, { asset_ids: ["title_seo"] }, "a-review"],
    ] as const) {
      const answers = await atOnce(studios, path, body, { "idempotency-key": name });
      expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([202, 202, 202, 202]);
      expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
    }
    const { runs } = (await json(first.ask("GET", "/api/v1/runs?kind=draft"))).body;
    expect(runs).toHaveLength(1);
  });

  it("keep one choice of a text and one ruling on a draft", async () => {
    const { studios } = await twoStudios(podcast);
    const [first] = studios;
    const { episodes } = (await json(first.ask("GET", "/api/v1/episodes"))).body;
    const place = `/api/v1/episodes/${episodes[0].id}/assets/linkedin`;
    const { version, candidates } = (await json(first.ask("GET", place))).body;
    const choice = { version, candidate_id: candidates[0].candidate_id, reason: "I like it" };
    const picked = await atOnce(studios, `${place}/pick`, choice);
    expect(picked.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);

    const begun = await json(first.ask("POST", "/api/v1/drafts", { brief: "a kettle that sings" }));
    const run = begun.body.run_id;
    await (await first.ask("GET", `/api/v1/runs/${run}/events`)).text();
    const ruling = { act: "request_changes", version: 0, reason: "name the kettle" };
    const ruled = await atOnce(studios, `/api/v1/drafts/${run}/rulings`, ruling);
    expect(ruled.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const next = ruled.find(({ status }) => status === 201)?.body.next_run_id;
    const [, second] = studios;
    expect((await json(second.ask("GET", `/api/v1/runs/${run}`))).body.followed_by).toBe(next);
    expect((await json(second.ask("GET", `/api/v1/runs/${next}`))).body.follows).toBe(run);
  });
});
