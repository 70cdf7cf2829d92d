import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { openShopProject } from "../support/shop-project.ts";
import { smallPack } from "../support/stage-story.ts";
import { runStory, unsigned } from "../support/studio.ts";
import { makeEpisode, makeNotes } from "../support/studio-episode.ts";
import { type StudioProcess, startStudioProcess } from "../support/studio-process.ts";

const { visit } = sharedBrowser();
const otherBrief = "a ferry at night";
const reason = "said by a person while the server was killed";

/** Everything a person can act on, in one project. */
const project = preparedFolder(async (root) => {
  await makeNotes(root);
  await makeEpisode(root);
  await runStory(root, unsigned);
  await runStory(root, { ...unsigned, brief: otherBrief });
  const shop = await openShopProject(root, `${smallPack}title: The shop's books\n`);
  shop.setDefects();
  await shop.playPack();
  await shop.playStage().finally(() => shop.close());
});

interface Act {
  readonly path: string;
  readonly body: object;
  readonly headers?: { readonly [name: string]: string };
}

interface Action {
  readonly name: string;
  /** What the page would send for what it shows now. */
  prepare(studio: StudioProcess): Promise<Act>;
  /** Grows by one when it is done. */
  count(studio: StudioProcess, root: string): Promise<number>;
  /** Where a person sees that it is done. */
  readonly page: (studio: StudioProcess) => Promise<string>;
  says(page: Page): Promise<void>;
}

async function get(studio: StudioProcess, path: string) {
  const answer = await studio.ask("GET", path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

const episodeOf = async (studio: StudioProcess): Promise<string> =>
  (await get(studio, "/api/v1/episodes")).episodes[0].id;

const draftOf = async (studio: StudioProcess, brief: string): Promise<string> =>
  (await get(studio, `/api/v1/runs?text=${encodeURIComponent(brief)}&kind=draft`)).runs[0].run_id;

const note = "notes/newsletter.md";
const gate = "prose/stock-phrases";

async function pairAt(studio: StudioProcess): Promise<string> {
  const { notes, note_ids } = await get(studio, "/api/v1/notes/matrix");
  return `note_id=${note_ids[notes.indexOf(note)]}&gate=${encodeURIComponent(gate)}`;
}

/** One of the drafts that are approved together in the inbox. */
const approval = (brief: string): Action => ({
  name: `the approval of ${brief}`,
  prepare: async (studio) => ({
    path: `/api/v1/drafts/${await draftOf(studio, brief)}/rulings`,
    body: { act: "approve", version: 0, reason },
  }),
  count: async (studio) => {
    const run = await draftOf(studio, brief);
    return (await get(studio, `/api/v1/drafts/${run}/rulings`)).rulings.length;
  },
  page: async (studio) => `/drafts/${await draftOf(studio, brief)}`,
  says: (page) => page.getByText(reason).first().waitFor(),
});

const actions: readonly Action[] = [
  {
    name: "a pick in an episode",
    prepare: async (studio) => {
      const path = `/api/v1/episodes/${await episodeOf(studio)}/assets/linkedin`;
      const { version, candidates } = await get(studio, path);
      return {
        path: `${path}/pick`,
        body: { version, candidate_id: candidates[0].candidate_id, reason },
      };
    },
    count: async (studio) => {
      const path = `/api/v1/episodes/${await episodeOf(studio)}/assets/linkedin`;
      const { acts } = await get(studio, path);
      return acts.filter(({ kind }: { readonly kind: string }) => kind === "pick").length;
    },
    page: async (studio) => `/episodes/${await episodeOf(studio)}/linkedin`,
    says: (page) => page.getByText(reason).first().waitFor(),
  },
  {
    name: "a dismissal in a note",
    prepare: async (studio) => {
      const { review } = await get(studio, `/api/v1/notes/pair?${await pairAt(studio)}`);
      const [{ fingerprint }] = review.findings;
      return { path: "/api/v1/notes/dismiss", body: { fingerprint, reason } };
    },
    count: async (_, root) => {
      const file = join(root, "signoff.rulings");
      return existsSync(file) ? readFileSync(file, "utf8").split(reason).length - 1 : 0;
    },
    page: async (studio) =>
      `/notes?${(await pairAt(studio)).replace("note_id=", "note=").replace("gate=", "of=")}`,
    says: (page) => page.getByText(`Dismissed: ${reason}`).waitFor(),
  },
  {
    name: "a repeated run of a pack",
    prepare: async (studio) => {
      const { runs } = await get(studio, "/api/v1/packs/shop_pack");
      return {
        path: `/api/v1/pack-runs/${runs.at(-1).run_id}/repeat`,
        body: {},
        headers: { "idempotency-key": "0c8e0d8e-7a3b-4d4e-9a61-0f7d3f0c5b11" },
      };
    },
    count: async (studio) => (await get(studio, "/api/v1/runs?kind=pack")).runs.length,
    page: async () => "/runs?kind=pack",
    says: async (page) => {
      await page
        .getByRole("link", { name: /shop.s books/u })
        .nth(1)
        .waitFor();
    },
  },
  {
    name: "the confirmation of a stage",
    prepare: async (studio) => {
      const { version } = await get(studio, "/api/v1/stages/shop_answers");
      return { path: "/api/v1/stages/shop_answers/confirmation", body: { version, reason } };
    },
    // Entries of its history.
    count: async (studio) => (await get(studio, "/api/v1/stages/shop_answers")).version,
    page: async () => "/stages",
    says: async (page) => {
      const closed = page.getByRole("region", { name: "Closed" });
      await closed.getByRole("link", { name: /shop.s answers/u }).waitFor();
    },
  },
  approval(unsigned.brief),
  approval(otherBrief),
];

const start = (root: string) => startStudioProcess(root, ["studio", "--port", "0"]);

const send = (studio: StudioProcess, { path, body, headers }: Act) =>
  studio.ask("POST", path, body, headers);

const moments = {
  "while they are on their way": (sent: readonly Promise<unknown>[]) => Promise.race(sent),
  "when the answers were written": (sent: readonly Promise<unknown>[]) => Promise.all(sent),
};

it.each(Object.entries(moments))(
  "a server killed %s loses nothing and does nothing twice",
  async (_, moment) => {
    const root = project.copy();
    const first = await start(root);
    const acts: Act[] = [];
    const counted: number[] = [];
    for (const { prepare, count } of actions) {
      counted.push(await count(first, root));
      acts.push(await prepare(first));
    }
    const gone = once(first.process, "exit");
    const sent = acts.map((act) => send(first, act).catch(() => undefined));
    await moment(sent);
    first.process.kill("SIGKILL");
    await gone;
    const answered = await Promise.all(sent);

    const second = await start(root);
    for (const [at, { name, count }] of actions.entries()) {
      const timesDone = async () => [name, (await count(second, root)) - (counted[at] ?? 0)];
      // What was reported is there; what was not may be there.
      if (answered[at]?.ok === true) expect(await timesDone()).toEqual([name, 1]);
      const again = await send(second, acts[at] as Act);
      expect([name, again.status < 500]).toEqual([name, true]);
      expect(await timesDone()).toEqual([name, 1]);
    }
    const [origin = "", token = ""] = second.url.split("/#token=");
    const { page } = await visit({ origin, token });
    for (const action of actions) {
      await page.goto(origin + (await action.page(second)));
      await action.says(page);
    }
  },
);
