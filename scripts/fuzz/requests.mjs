// Bodies, queries and ids for every route of the API, sent over loopback to the real server. Whatever is sent, the answer
// is one of the route's own or a refusal; only a body that says so approves anything.
import http from "node:http";
import { routes } from "../../src/contract/http/routes.ts";
import { readEnvironment } from "../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../src/wiring/settings/settings.ts";
import { openStudio } from "../../src/wiring/studio/studio.ts";
import { mutatedText, mutatedValue } from "./mutate.mjs";
import { prepareProject } from "./prepared-project.mjs";

const unknownRun = "6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e";

/** What a member could be, before it is damaged; ids are added once the project is read. */
const members = {
  ...{ brief: "water bottles", input: "water bottles", recipe: "slogan", text: "Hydrate" },
  ...{ model: "offline/rules", reviewer_model: "offline/rules", panel: "all", candidates: 1 },
  ...{ reviewers: [{ label: "brand", model: "offline/rules" }], max_turns: 2, max_iterations: 2 },
  ...{ seed: 7, early_stop: true, budget: { calls: 3 }, turn: 1, act: "approve", version: 0 },
  ...{ reason: "agreed with the client", by: "Mira", choice: "approve", comment: "good" },
  ...{ accept_changes: false, token: "x", anew: false, verbose: false, asset_ids: ["slug"] },
  ...{ gate: "prose/plain", gates: ["prose/plain"], limit: 1, again: false, fingerprint: "a1" },
  ...{ retry_undecided: false, candidate_id: unknownRun },
};

/** Few of the requests that are understood may begin work: it takes longer than all the others together. */
const rarely = new Set(["POST /api/v1/drafts", "POST /api/v1/slogans/generate"]);

export async function open() {
  const { root, remove } = await prepareProject();
  const environment = readEnvironment({});
  const reported = [];
  const studio = await openStudio({
    ...{ root, environment, port: 0, adopt: false },
    loaded: await loadProjectSettings({ root, environment, flags: {} }),
    author: { by: "Mira", knownHow: "flag" },
    report: (error) => reported.push(error),
  });
  const [, token] = studio.url.split("/#token=");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const send = (request) => answerTo({ ...request, port: studio.port, token, agent });
  const read = async (path) => JSON.parse((await send({ method: "GET", path })).text);
  const known = await knownIds(read);
  return {
    next(chance) {
      const request = requestOf(chance, known);
      return {
        reader: groupOf(request),
        shown: () => JSON.stringify(request),
        run: () => judged(send, request, reported),
      };
    },
    async close() {
      await studio.stop("now");
      agent.destroy();
      remove();
    },
  };
}

const groupOf = ({ method, path }) => `${method} ${path.split(/[/?]/u)[3] ?? "metrics"}`;

/** Ids by their name in a path, and members that hold ids. */
async function knownIds(read) {
  const { runs } = await read("/api/v1/runs");
  const { episodes } = await read("/api/v1/episodes");
  const { note_ids: notes } = await read("/api/v1/notes/matrix");
  const { items } = await read("/api/v1/inbox");
  return {
    run_id: [...runs.map(({ run_id }) => run_id), unknownRun],
    item_id: items.map(({ id }) => id),
    episode_id: episodes.map(({ id }) => id),
    ...{ asset_id: ["slug", "title"], pack_id: ["shop_pack"], stage_id: ["shop"] },
    ...{ scenario_id: ["stock"], step_id: ["one"], document_id: ["summary"] },
    members: { ...members, note_id: notes[0], note_ids: notes },
  };
}

/** Streams do not end by themselves. */
const names = Object.keys(routes).filter((name) => routes[name].answers[200] !== "events");
const writing = names.filter((name) => routes[name].body !== undefined);

function requestOf(chance, known) {
  let name = chance.pick(chance.below(20) === 0 ? names : writing);
  if (rarely.has(name) && chance.below(10) > 0) name = "POST /api/v1/session";
  const [method, pattern] = name.split(" ");
  const path = pattern.replace(/:(\w+)/gu, (_, part) => {
    const id = chance.pick(known[part]);
    return encodeURIComponent(chance.below(5) === 0 ? wellFormed(mutatedText(id, chance)) : id);
  });
  const query = new URLSearchParams();
  for (const key of Object.keys(routes[name].query?.shape ?? {}))
    if (chance.below(2) === 0) query.set(key, wellFormed(mutatedText("17", chance)));
  const body = method === "POST" ? bodyFor(name, known.members, chance) : undefined;
  return { name, method, path: query.size > 0 ? `${path}?${query}` : path, body };
}

const wellFormed = (text) => text.slice(0, 400).toWellFormed();

function bodyFor(route, values, chance) {
  const names = Object.keys(routes[route].body?.shape ?? {}).map(snakeCase);
  const body = Object.fromEntries(
    names.filter(() => chance.below(8) > 0).map((name) => [name, values[name]]),
  );
  // Only drafts count their versions; elsewhere a version is a digest.
  if ("version" in body && !/drafts|inbox/u.test(route)) body.version = "0123456789abcdef";
  if (chance.below(4) === 0) return JSON.stringify(body);
  if (chance.below(2) === 0) return mutatedText(JSON.stringify(body), chance);
  return JSON.stringify(mutatedValue(body, chance));
}

const snakeCase = (name) => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

async function judged(send, request, reported) {
  const { status, text } = await send(request);
  const bug = reported.pop();
  if (bug !== undefined) throw bug;
  const expected = status < 500 || Object.hasOwn(routes[request.name].answers, String(status));
  if (!expected && !isKnownTrouble(text)) throw new Error(`${status}: ${text}`);
  if (request.name !== "POST /api/v1/drafts/:run_id/rulings" || status !== 201) return "answered";
  return saysApproved(text) && !asksToApprove(request.body) ? "false approval" : "answered";
}

/** A model or a store that is not there is no bug of the server. */
const isKnownTrouble = (text) => !/internal-error/u.test(text) && /"code"/u.test(text);
const saysApproved = (text) => /"act":"approve"/u.test(text);

function asksToApprove(body) {
  try {
    const { act, reason, version } = JSON.parse(body);
    return act === "approve" && version === 0 && String(reason).trim() !== "";
  } catch {
    return false;
  }
}

function answerTo(asked) {
  const { method, path, body, port, token, agent } = asked;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    if (body !== undefined) {
      headers["content-type"] = "application/json";
      headers["content-length"] = Buffer.byteLength(body);
    }
    const request = http.request({ method, path, port, headers, agent, host: "127.0.0.1" });
    request.once("error", (error) => {
      // The server closed the idle connection as the request was sent; every client asks again.
      if (request.reusedSocket && error.code === "ECONNRESET")
        answerTo(asked).then(resolve, reject);
      else reject(error);
    });
    request.once("response", async (response) => {
      let text = "";
      for await (const part of response) text += part;
      resolve({ status: response.statusCode, text });
    });
    request.end(body);
  });
}
