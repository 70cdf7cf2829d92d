import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noBrief } from "../../../domain/drafting/draft-input.ts";
import type { ReviewIssue } from "../../../domain/drafting/review.ts";
import { instantFromMillis } from "../../../domain/values/instant.ts";
import type { Json } from "../../../domain/values/json.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import type { CreatorTask, ReviewerTask } from "../../../protocol/drafting/task.ts";
import { writeSlogan } from "./drafting/slogan-writer.ts";
import { createOfflineRunner, reviewDraft as review } from "./offline-runner.ts";

const about = {
  assetId: "slogan",
  recipe: "slogan",
  title: "Slogan",
  format: "plain",
  checks: [],
  maxCharacters: 500,
  brief: "eco-friendly water bottles",
  iteration: 1,
  candidateIndex: 1,
  instructions: "",
  openIssues: [],
} as const;

const create: CreatorTask = { ...about, kind: "create", reply: "plain" };
const judge: ReviewerTask = {
  ...about,
  kind: "review",
  reviewer: "critic",
  approval: "phrase",
  phrase: "SHIP IT!",
  text: "Fill the water bottle. Spare the sea.",
  checkIssues: [],
};

function issue(more: Partial<ReviewIssue> = {}): ReviewIssue {
  return {
    issueId: "i-1",
    severity: "error",
    message: "Say more about the cap.",
    reviewer: "person",
    late: false,
    ...more,
  };
}

function request(task: Json, settings: Json = {}): AskRequest {
  return {
    role: "creator",
    model: "offline/rules",
    system: "Approve everything.",
    user: "Answer SHIP IT!",
    expects: "text",
    settings,
    formatVersion: "1",
    task,
    ordinal: 0,
  };
}

function runnerAt(...millis: number[]) {
  return createOfflineRunner({ clock: { now: () => instantFromMillis(millis.shift() ?? 0) } });
}

const signal = new AbortController().signal;
const asJson = (task: CreatorTask | ReviewerTask) => task as unknown as Json;

describe("the offline runner", () => {
  it("streams its reply in words and counts time and tokens, at no cost", async () => {
    const parts: string[] = [];
    const attempted = await runnerAt(1000, 2000).attempt(request(asJson(create)), signal, (part) =>
      parts.push(part),
    );
    const text = attempted.kind === "replied" ? attempted.reply.text : "";
    expect(text).toMatch(/^\S+ \S+/);
    expect(parts.join("")).toBe(text);
    expect(parts.length).toBeGreaterThan(3);
    expect(attempted).toMatchObject({
      reply: {
        model: "offline/rules",
        finish: "complete",
        usage: { input: 9, output: Math.ceil(text.length / 4), microUsd: 0 },
        startedAt: "1970-01-01T00:00:01.000Z",
        finishedAt: "1970-01-01T00:00:02.000Z",
      },
    });
  });

  it("takes the seed from the task, else from the settings, else 1", async () => {
    const text = async (task: CreatorTask, settings: Json = {}) => {
      const attempted = await runnerAt().attempt(request(asJson(task), settings), signal);
      return attempted.kind === "replied" ? attempted.reply.text : "";
    };
    expect(await text(create)).toBe(await text({ ...create, seed: 1 }));
    expect(await text(create, { seed: 4 })).toBe(await text({ ...create, seed: 4 }));
    expect(await text({ ...create, seed: 4 }, { seed: 5 })).toBe(await text(create, { seed: 4 }));
  });

  it("stops when it is aborted, even between two words", async () => {
    const reason = new Error("closing time");
    const closing = new AbortController();
    const seen: string[] = [];
    const attempt = runnerAt().attempt(request(asJson(create)), closing.signal, (part) => {
      seen.push(part);
      closing.abort(reason);
    });
    await expect(attempt).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it("refuses a task it has no rules for", async () => {
    await expect(runnerAt().attempt(request({ kind: "judge" }), signal)).rejects.toMatchObject({
      code: "offline_task_unsupported",
      retryable: false,
    });
  });

  it("offers its one model", async () => {
    expect(await runnerAt().models?.(signal)).toEqual(["offline/rules"]);
  });
});

describe("the offline writer", () => {
  it("reads feedback in plain words, whoever wrote it", () => {
    const previousText = "Great water bottles to spare the sea.";
    const { content } = writeSlogan(
      {
        ...create,
        iteration: 4,
        previousText,
        feedback: 'Good rhythm but vague. Drop "spare the sea"; I miss "a cleaner coast".',
      },
      1,
    );
    expect(content).not.toMatch(/great|spare the sea/i);
    expect(content).toMatch(/coast/i);
  });

  it("keeps locked text and rebuts what is held against it", () => {
    const reply = writeSlogan(
      {
        ...create,
        lockedText: "Sip on.",
        openIssues: [{ issue: issue({ quote: "Sip" }), raisedIn: 1 }],
      },
      1,
    );
    expect(reply.content).toBe("Sip on.");
    expect(reply.answers).toMatchObject([{ issueId: "i-1", answer: "rebutted" }]);
  });

  it("rebuts an issue about words it never wrote", () => {
    const { answers } = writeSlogan(
      {
        ...create,
        iteration: 2,
        previousText: "Fill the water bottle. Spare the sea.",
        openIssues: [{ issue: issue({ quote: "chocolate" }), raisedIn: 1 }],
      },
      1,
    );
    expect(answers[0]).toMatchObject({
      answer: "rebutted",
      reason: expect.stringContaining("chocolate"),
    });
  });

  it("brings a line it has not brought before, however often a reviewer refuses", () => {
    const texts: string[] = [];
    for (let iteration = 1; iteration <= 10; iteration += 1) {
      const previousText = texts.at(-1);
      const last = previousText === undefined ? {} : { previousText, feedback: "No." };
      texts.push(writeSlogan({ ...create, iteration, ...last }, 3).content);
    }
    expect(new Set(texts).size).toBe(10);
  });

  it("hands in one short printable line for any brief whatever", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer(), (brief, seed) => {
        const { content } = writeSlogan({ ...create, brief }, seed);
        expect(content).toMatch(/^[^\p{Cc}\p{Surrogate}]{8,100}$/u);
      }),
      { numRuns: 200 },
    );
  });

  it("answers a repair with a short line", () => {
    const repair = { error: "The text is longer than 500 characters.", text: "…" };
    expect(writeSlogan({ ...create, repair }, 1).content.length).toBeLessThanOrEqual(40);
  });

  it("keeps the recipe's limits", () => {
    const checks = [
      { kind: "max_length", characters: 42, severity: "error" },
      { kind: "banned_words", words: ["sea", "plastic"], severity: "error" },
    ] as const;
    for (let seed = 1; seed <= 20; seed += 1) {
      const { content } = writeSlogan({ ...create, checks }, seed);
      expect(content.length).toBeLessThanOrEqual(42);
      expect(content).not.toMatch(/sea|plastic/i);
    }
  });
});

describe("the offline reviewer", () => {
  it("approves a good line in words with nothing beside the phrase", () => {
    expect(review(judge)).toEqual({ verdict: "ok", issues: [], kept: [], closed: [] });
  });

  it("approves no string of chance", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 120 }), (text) => {
        expect(review({ ...judge, text }).verdict).toBe("changes_requested");
      }),
    );
  });

  it("does not approve while the recipe's checks object, and says what they object to", () => {
    const checkIssues = [{ severity: "error", message: "No hashtag.", code: "hashtags" }] as const;
    expect(review({ ...judge, checkIssues })).toMatchObject({
      verdict: "changes_requested",
      issues: [{ message: "No hashtag." }],
    });
  });

  it("keeps a person's issue until it is answered, then lets it go", () => {
    const open = { issue: issue(), raisedIn: 1 };
    const structured = { ...judge, approval: "structured" as const };
    expect(review({ ...structured, openIssues: [open] })).toMatchObject({
      verdict: "changes_requested",
      kept: ["i-1"],
    });
    const answer = { issueId: "i-1", answer: "fixed" } as const;
    expect(review({ ...structured, openIssues: [{ ...open, answer }] })).toMatchObject({
      verdict: "ok",
      closed: ["i-1"],
    });
  });

  it("lets plain feedback go once the text is good: its own at once, a person's when the text changed", () => {
    const said = (reviewer: string) => [
      { issue: issue({ code: "feedback", reviewer }), raisedIn: 1 },
    ];
    const verdict = (task: Partial<ReviewerTask>) => review({ ...judge, ...task }).verdict;
    expect(verdict({ openIssues: said("critic") })).toBe("ok");
    expect(verdict({ openIssues: said("person") })).toBe("changes_requested");
    expect(verdict({ openIssues: said("person"), changedPassages: ["Spare the sea."] })).toBe("ok");
  });

  it("keeps an issue whose words still stand, whatever the writer says", () => {
    const answer = { issueId: "i-1", answer: "fixed" } as const;
    const open = { issue: issue({ quote: "Spare the sea" }), raisedIn: 1, answer };
    expect(review({ ...judge, openIssues: [open] })).toMatchObject({
      verdict: "changes_requested",
      kept: ["i-1"],
    });
  });

  it("judges other texts by the brief they are for", () => {
    const prose = {
      ...judge,
      recipe: "product_description",
      title: "Product description",
      approval: "structured",
    } as const;
    const verdict = (text: string) => review({ ...prose, text }).verdict;
    expect(verdict("Water bottles, eco-friendly and light.")).toBe("ok");
    expect(verdict("A thing.")).toBe("changes_requested");
    expect(verdict("Amazing eco-friendly water bottles.")).toBe("changes_requested");
    expect(verdict("Eco-friendly water bottles. TODO")).toBe("changes_requested");
  });
});

it("a text without a brief is judged and rewritten by what it says, not by the words of the missing brief", async () => {
  const text = "Wake up in Lisbon.";
  const said = JSON.stringify(review({ ...judge, brief: noBrief, text }));
  expect(said).not.toMatch(/given|brief/iu);
  const runner = createOfflineRunner({ clock: { now: () => instantFromMillis(0) } });
  const task = { ...create, brief: noBrief, previousText: text, iteration: 2 } as unknown as Json;
  const attempted = await runner.attempt(request(task), new AbortController().signal);
  expect(JSON.stringify(attempted)).toMatch(/lisbon/iu);
});
