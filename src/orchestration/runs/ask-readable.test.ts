import { describe, expect, it } from "vitest";
import { key } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Ask, AskEnding } from "../../ports/flow.ts";
import type { Reply } from "../../ports/runner.ts";
import { askOneReadable, askReadable, type Reader, unusableReplies } from "./ask-readable.ts";

const at = instant("2026-11-15T12:00:00.000Z");
const times = { startedAt: at, finishedAt: at, replayed: false };

function reply(text: string, finish: Reply["finish"] = "complete"): AskEnding {
  return { kind: "replied", reply: { text, model: "mistral", finish, ...times } };
}

const unreachable: AskEnding = {
  kind: "failed",
  error: {
    code: "unreachable",
    message: "Nobody answers.",
    retryable: true,
    facts: { hint: "Start the server." },
  },
};

function askFor(chapter: string, user = "Sum it up."): Ask {
  return {
    key: key(chapter),
    request: {
      role: "summarizer",
      model: "ollama/mistral",
      system: "",
      user,
      expects: "text",
      settings: { temperature: 0.3, max_tokens: 200 },
      formatVersion: "1",
      task: null,
      ordinal: 0,
    },
  };
}

/** Only what begins with "Sum:" is a summary. */
const reader: Reader<Ask, string> = {
  read: (_, { text }) =>
    text.startsWith("Sum:")
      ? { kind: "readable", value: text.slice(5) }
      : { kind: "unreadable", problems: ["it is no summary"] },
  repair: (ask, { problems, text }) =>
    askFor(`${ask.key}/repair`, `"${text}" was of no use: ${problems.join("; ")}`),
};

function modelThatSays(...rounds: readonly (readonly AskEnding[])[]) {
  const left = [...rounds];
  const asked: Ask[] = [];
  const askAll = async (asks: readonly Ask[]) => {
    asked.push(...asks);
    return left.shift() ?? [];
  };
  return { askAll, asked };
}

describe("asking for a reply that can be read", () => {
  it("repairs only what could not be read, once, and gives the reason", async () => {
    const model = modelThatSays([reply("Sum: bees"), reply("Well.")], [reply("Sum: honey")]);
    const answers = await askReadable(model, [askFor("bees"), askFor("honey")], reader);
    expect(answers.map((one) => one.kind === "readable" && one.value)).toEqual(["bees", "honey"]);
    expect(answers[1]?.keys).toEqual(["honey", "honey/repair"]);
    expect(answers[1]?.replies.map(({ text }) => text)).toEqual(["Well.", "Sum: honey"]);
    expect(model.asked.at(-1)?.request.user).toBe('"Well." was of no use: it is no summary');
    expect(model.asked.at(-1)?.request.settings).toMatchObject({ max_tokens: 200 });
  });

  it("never reads a cut reply, and asks for it with twice the room", async () => {
    const model = modelThatSays([reply("Sum: be", "cut")], [reply("Sum: bees")]);
    const answered = await askOneReadable(model, askFor("bees"), reader);
    expect(answered).toMatchObject({ kind: "readable", value: "bees" });
    expect(model.asked[1]?.request.settings).toEqual({ temperature: 0.3, max_tokens: 400 });
  });

  it("names every useless reply, so that a resume asks for those again", async () => {
    const cut = reply("Sum: ho", "cut");
    const model = modelThatSays([reply("Sum: bees"), cut], [cut]);
    const answers = await askReadable(model, [askFor("bees"), askFor("honey")], reader);
    expect(unusableReplies("The summary", answers)).toMatchObject({
      code: "reply-unusable",
      message: "The summary could not be used, even when asked again: the reply was cut off.",
      facts: { unusable: ["honey", "honey/repair"] },
      hint: expect.stringContaining("max_tokens"),
    });
  });

  it("passes on why a call failed", async () => {
    const asking = askOneReadable(modelThatSays([unreachable]), askFor("bees"), reader);
    await expect(asking).rejects.toMatchObject({
      code: "unreachable",
      retryable: true,
      hint: "Start the server.",
    });
  });
});
