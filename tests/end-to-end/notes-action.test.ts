import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { env as surroundings } from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openLoopback, sendJson } from "../support/loopback-server.ts";
import { NotesRepository } from "../support/notes-repository.ts";

const { PATH = "" } = surroundings;
let shop: NotesRepository;
beforeEach(() => {
  shop = new NotesRepository();
  shop.note("salt", "Salt is kept dry.");
  shop.gate("prose/calm", "Fail what shouts.");
  shop.commit();
});
afterEach(() => shop.remove());

/** The part of GitHub's API that comments need; without write access it answers like GitHub does. */
async function openGitHub(mayWrite: boolean) {
  const comments: { id: number; body: string; user: { type: string } }[] = [
    { id: 1, body: "<!-- signoff notes --> quoted by a person", user: { type: "User" } },
  ];
  const calls: string[] = [];
  const server = await openLoopback(({ method, path, json }, response) => {
    calls.push(`${method} ${path.replace(/\?.*/, "")}`);
    const { body = "" } = (json ?? {}) as { readonly body?: string };
    if (method === "GET") return sendJson(response, 200, comments);
    if (!mayWrite) return sendJson(response, 403, { message: "Resource not accessible" });
    const id = Number(path.split("/").at(-1));
    const known = comments.find((one) => one.id === id && method === "PATCH");
    if (known === undefined) comments.push({ id: 7, body, user: { type: "Bot" } });
    else known.body = body;
    return sendJson(response, 200, {});
  });
  return { url: server.url, comments, calls };
}

async function act(more: { readonly [name: string]: string }) {
  const program = `${process.execPath} ${resolve("dist/bin/signoff.js")}`;
  const env = {
    PATH,
    HOME: join(shop.root, "no-such-home"),
    SIGNOFF_PROGRAM: program,
    GITHUB_REPOSITORY: "bakery/notes",
    GITHUB_STEP_SUMMARY: join(shop.root, "summary.md"),
    SIGNOFF_PULL_REQUEST: "12",
    SIGNOFF_SARIF: "notes.sarif",
    ...more,
  };
  const child = spawn(process.execPath, [resolve("action/check.mjs")], { cwd: shop.root, env });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  const code = await new Promise((done) => child.on("close", done));
  return { code, out };
}

describe("the action", () => {
  it("annotates, keeps one comment up to date, and ends with the result of the check", async () => {
    const github = await openGitHub(true);
    const place = { GITHUB_API_URL: github.url, SIGNOFF_TOKEN: "t" };
    const first = await act(place);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/^::error file=notes\/salt\.md,line=1/);
    expect(readFileSync(join(shop.root, "summary.md"), "utf8")).toContain("check: failed");
    expect(JSON.parse(shop.read("notes.sarif")).version).toBe("2.1.0");
    shop.write("signoff.yaml", "version: 1\nnotes: { exclude: [notes/salt.md] }\n");
    shop.note("hours", "We open at eight.");
    expect((await act(place)).code).toBe(1);
    expect(github.comments).toHaveLength(2);
    expect(github.comments[1]?.body).toContain("hours");
    expect(github.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
    expect(github.calls.at(-1)).toBe("PATCH /repos/bakery/notes/issues/comments/7");
  });

  it("works in a fork: without write access or token only the comment is missing", async () => {
    const github = await openGitHub(false);
    const refused = await act({ GITHUB_API_URL: github.url, SIGNOFF_TOKEN: "t" });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.out).toContain("::notice::The result is not commented on the pull request");
    const asked = github.calls.length;
    expect(await act({ GITHUB_API_URL: github.url, SIGNOFF_TOKEN: "" })).toMatchObject({ code: 1 });
    expect(github.calls).toHaveLength(asked);
  });

  it("gives its script every input that action.yml declares, and asks for no secret", () => {
    const { inputs, runs } = parse(readFileSync("action.yml", "utf8"));
    const used = JSON.stringify(runs);
    for (const name of Object.keys(inputs)) expect(used).toContain(`inputs.${name}`);
    expect(used).not.toContain("secrets.");
    const script = readFileSync("action/check.mjs", "utf8");
    const { env } = runs.steps[1];
    for (const name of Object.keys(env)) expect(script).toContain(name);
  });
});
