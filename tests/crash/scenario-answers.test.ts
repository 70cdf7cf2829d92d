import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { filesBelow, signoff } from "../support/scenario-cli.ts";
import { openStory, type Story } from "../support/shop-stories.ts";
import { startSignoff } from "../support/signoff-process.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Front {
  readonly url: string;
  /** Called for each request for a session, before it is answered. */
  onSession: () => boolean;
}

/** The shop's assistant as another server would offer it: its sessions keep the words and nothing else. */
async function openFront({ shop }: Story): Promise<Front> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isMessage = request.method === "POST";
    if (!isMessage && !front.onSession()) return;
    const body = isMessage ? { body: JSON.stringify(await json(request)) } : {};
    const method = request.method ?? "GET";
    const got = await fetch(`${shop.url}${request.url}`, { method, ...body });
    const reported = (await got.json()) as { conversation?: { role: string; text: string }[] };
    const conversation = reported.conversation?.map(({ role, text }) => ({ role, text }));
    response.writeHead(got.status).end(JSON.stringify({ ...reported, conversation }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const front: Front = { url: `http://127.0.0.1:${port}`, onSession: () => true };
  return front;
}

async function open(): Promise<{ readonly story: Story; readonly front: Front }> {
  const story = await openStory();
  return { story, front: await openFront(story) };
}

const play = (front: Front, name: string) => [
  ...["scenario", "run", "--manifest", `pack/${name}.yaml`, "--output-dir", "out", "-q"],
  ...["--assistant-url", front.url],
];

describe("an answer is recorded when it comes:", () => {
  it.each([1, 3, 5])("killed while it reads session %i, the run asks nothing again", async (at) => {
    const { story, front } = await open();
    const running = startSignoff(play(front, "sales-and-revenue"), { cwd: story.path });
    let sessions = 0;
    front.onSession = () => {
      sessions += 1;
      if (sessions === at) running.child.kill("SIGKILL");
      return sessions < at;
    };
    await running.ended;
    front.onSession = () => true;
    const again = await signoff(story.path, play(front, "sales-and-revenue"));
    expect(again.code, again.err).toBe(0);
    expect(story.shop.questions).toHaveLength(5);
    const files = [...filesBelow(join(story.path, "out")).keys()];
    expect(files.filter((name) => name.startsWith("attempts/"))).toEqual([]);
  });
});

describe("an answer that the session shows without its technical data", () => {
  it.each(["stock-to-supplier", "selected-object", "changing-dates", "sales-and-revenue"])(
    "fails no check of %s: the chain is asked again",
    async (name) => {
      const { story, front } = await open();
      const pack = story.read("pack/pack.yaml").replace(/scenarios:[\s\S]*/u, "");
      story.write("pack/one.yaml", `${pack}scenarios: [${name}.yaml]\n`);
      const run = (folder: string, env = {}) => {
        const where = ["--output-dir", folder, "--assistant-url", front.url];
        const args = ["pack", "run", "--manifest", "pack/one.yaml", "--skip-question-review"];
        return signoff(story.path, [...args, ...where, "-q"], env);
      };
      expect((await run("whole")).code).toBe(0);
      const asked = story.shop.questions.length;
      const killed = await run("killed", { SIGNOFF_STOP_AT: "answer-received:2" });
      expect(killed.code, killed.err).toBe(null);
      const again = await run("killed");
      expect(again.code, again.out).toBe(0);
      expect(story.shop.questions).toHaveLength(asked + 2 + asked);
      const files = filesBelow(join(story.path, "killed"));
      const why = [...files].filter(([path]) => path.endsWith("attempts/1/why.md"));
      expect(why).toMatchObject([[expect.anything(), expect.stringContaining("a check needs")]]);
    },
  );

  it("is used, and marked, where no check needs them", async () => {
    const { story, front } = await open();
    const questions = ["How many Oak desk were in stock on 2024-03-31?", "What is in stock?"];
    const steps = questions.map((question, at) => ({ step_id: `step_${at}`, question }));
    story.write("pack/plain.yaml", JSON.stringify({ scenario_id: "plain", domain: "d", steps }));
    const killed = await signoff(story.path, play(front, "plain"), {
      SIGNOFF_STOP_AT: "answer-received:2",
    });
    expect(killed.code, killed.err).toBe(null);
    expect((await signoff(story.path, play(front, "plain"))).code).toBe(0);
    expect(story.shop.questions).toEqual(questions);
    expect(story.json("out/steps/step_1/step_state.json")).toMatchObject({
      status: "accepted",
      findings: [],
      unobserved: ["debug", "reply_type"],
    });
  });
});
