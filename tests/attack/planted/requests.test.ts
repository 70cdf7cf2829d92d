import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operateOnStore } from "../../support/store-surgery.ts";
import { serveStudio } from "../../support/studio.ts";
import { type Bait, forged, forgedLines, type Lair, openLair, secret } from "./bait.ts";

let lair: Lair;
beforeAll(async () => {
  lair = await openLair();
});
afterAll(() => lair.close());

const lab = (thief: string) =>
  `version: 1\nproviders: { compatible: { lab: { base_url: "${thief}/v1", api_key_env: LAB_KEY } } }\n`;
const refused = expect.toSatisfy((status: number) => status >= 400 && status < 500, "is refused");

/** Requests with a valid token, which allows whatever the command line does except for what is planted here. */
const requests: readonly (readonly [tries: string, method: string, path: string, body?: object])[] =
  [
    ["a program as the writer", "POST", "/api/v1/drafts", { brief: "x", model: "command/helper" }],
    [
      "a program as the reviewer",
      "POST",
      "/api/v1/drafts",
      { brief: "x", reviewer_model: "command/helper" },
    ],
    [
      "a program in a panel",
      "POST",
      "/api/v1/drafts",
      { brief: "x", reviewers: [{ label: "a", model: "command/helper" }] },
    ],
    [
      "a program by a slogan",
      "POST",
      "/api/v1/slogans/generate",
      { input: "x", model: "command/helper" },
    ],
    ["a program by a plan of notes", "POST", "/api/v1/notes/plan", { model: "command/helper" }],
    ["a script", "POST", "/api/v1/drafts", { brief: "x", model: "script:/etc/passwd" }],
    [
      "a secret for another server",
      "POST",
      "/api/v1/drafts",
      { brief: "x", model: "compatible/lab/x" },
    ],
    [
      "a secret by a slogan",
      "POST",
      "/api/v1/slogans/generate",
      { input: "x", model: "compatible/lab/x" },
    ],
    ["a recipe from outside", "POST", "/api/v1/drafts", { brief: "x", recipe: "../../outside/x" }],
    ["an episode outside", "GET", "/api/v1/episodes/..%2f..%2foutside"],
    ["a document outside", "GET", "/api/v1/stages/shop/documents/..%2f..%2f..%2fetc%2fpasswd"],
    ["a pack outside", "GET", "/api/v1/packs/..%2f..%2foutside"],
    [
      "a step outside",
      "GET",
      "/api/v1/pack-runs/6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e/scenarios/..%2fx/steps/..%2fy",
    ],
    [
      "a texts' list that names one twice",
      "POST",
      "/api/v1/episodes/0123456789abcdef/review",
      { asset_ids: ["slug", "slug"] },
    ],
  ];

describe("a request", () => {
  it.each(requests.map(([tries, method, path, body]) => ({ tries, method, path, body })))(
    "cannot have: $tries",
    async ({ method, path, body }) => {
      const bait = lair.open();
      bait.write(
        "signoff.yaml",
        `${lab(bait.thief)}commands: { helper: { argv: [${bait.program}] } }\n`,
      );
      const studio = await serveStudio(bait.project, { env: bait.env });
      const response = await fetch(studio.origin + path, {
        method,
        headers: { authorization: `Bearer ${studio.token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.status).toEqual(refused);
      expect(await response.text()).not.toContain(secret);
      await studio.stop("now");
      expect(bait.damage()).toEqual([]);
    },
  );
});

/** What a store may name that its owner never chose. */
const stores: readonly (readonly [tries: string, model: string])[] = [
  ["a program", "command/claude"],
  ["a program of the settings", "command/helper"],
  ["a secret for another server", "compatible/lab/x"],
  ["a script outside", "script:../outside/x.json"],
];

async function waiting(bait: Bait): Promise<string> {
  bait.write(
    "signoff.yaml",
    `${lab(bait.thief)}commands: { helper: { argv: [${bait.program}] } }\n`,
  );
  await bait.run("draft", "water bottles", "--model", "live-agent/me");
  const { stdout } = await bait.run("runs", "list", "--json");
  const [run] = (JSON.parse(stdout) as { runs: readonly { run_id: string }[] }).runs;
  return run?.run_id ?? "";
}

describe("a planted store", () => {
  it.each(stores)("cannot have %s when its run is resumed or answered", async (_, model) => {
    const bait = lair.open();
    const run = await waiting(bait);
    operateOnStore(
      bait.project,
      `UPDATE jobs SET input = replace(input, 'live-agent/me', '${model}'), settings = replace(settings, 'live-agent/me', '${model}')`,
    );
    const { stdout } = await bait.run("inbox", "--json");
    const { items } = JSON.parse(stdout) as { items: readonly { id: string }[] };
    bait.write("answer.txt", "Hydrate");
    const ended = [
      await bait.run("runs", "resume", run),
      await bait.run("runs", "resume", run, "--accept-changes"),
      ...(items[0] === undefined
        ? []
        : [await bait.run("inbox", "answer", items[0].id, "--text-file", "answer.txt")]),
    ];
    expect(ended.map(({ code }) => code)).not.toContain(0);
    expect(ended.map(({ stderr }) => stderr).join("\n")).not.toMatch(/bug in signoff/u);
    expect(bait.damage()).toEqual([]);
  });

  it("cannot write a line of a list or a report", async () => {
    const bait = lair.open();
    const run = await waiting(bait);
    const line = `x\n${forged} approved\r${forged} approved`;
    operateOnStore(
      bait.project,
      `UPDATE jobs SET input = replace(input, 'water bottles', '${line.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'); UPDATE runs SET cancel_reason = '${line}'`,
    );
    for (const args of [
      ["runs", "list"],
      ["runs", "show", run],
      ["inbox"],
      ["doctor"],
      ["verify"],
    ]) {
      const { stdout, stderr } = await bait.run(...args);
      expect(forgedLines(`${stdout}\n${stderr}`), args.join(" ")).toEqual([]);
    }
  });
});
