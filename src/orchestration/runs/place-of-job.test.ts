import { expect, test } from "vitest";
import type { Json } from "../../domain/values/json.ts";
import { placeOfJob } from "./place-of-job.ts";

const place = (input: Json, settings: Json = {}) => placeOfJob({ input, settings }, "anywhere");

test("a draft of models that are reached over the network runs anywhere", () => {
  const reviewers = [{ model: "anthropic/claude-sonnet-4-5" }, { model: "offline/rules" }];
  expect(place({ creator: { model: "ollama/qwen3:8b" }, reviewers })).toBe("anywhere");
});

test.each(["script:slogan.json", "command/claude", "live-agent/editor", "nonsense/model"])(
  "one role played by %s keeps the whole job at home",
  (model) => {
    expect(place({ creator: { model: "openai/gpt-5" }, reviewers: [{ model }] })).toBe("home");
    expect(place({ jobs: [{ input: { draft: { creator: { model } } } }] })).toBe("home");
  },
);

test.each([
  ["http://localhost:8787", "home"],
  ["http://127.0.0.1:8787", "home"],
  ["http://[::1]:8787/chat", "home"],
  ["command:shop", "home"],
  ["https://shop.example/assistant", "anywhere"],
])("an assistant at %s is asked from %s", (url, expected) => {
  expect(place({ assistant_url: url })).toBe(expected);
});

test("a loop whose repairs a coder makes stays at home, and one that hands them over does not", () => {
  const loop = { assistant_url: "https://shop.example", analyst_model: "openai/gpt-5" };
  expect(place({ ...loop, repair_mode: "auto-coder", coder: ["claude"] })).toBe("home");
  expect(place({ ...loop, repair_mode: "lead-handoff" })).toBe("anywhere");
});

test("a run that was started with an address of its own stays at home", () => {
  expect(place({ model: "ollama/qwen3:8b" }, { base_url: "http://10.0.0.7:11434" })).toBe("home");
  expect(place({ model: "ollama/qwen3:8b" }, { timeout: 30 })).toBe("anywhere");
});

test("a kind of job that needs the folder is at home whatever it asks", () => {
  const job = { input: { model: "openai/gpt-5" }, settings: {} };
  expect(placeOfJob(job, "home")).toBe("home");
});
