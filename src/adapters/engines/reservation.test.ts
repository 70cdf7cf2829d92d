import { describe, expect, it } from "vitest";
import { requestFor } from "../../../tests/support/provider-wires.ts";
import type { ResolvedRunner } from "../../ports/runner.ts";
import { reservationFor } from "./reservation.ts";

const runner: ResolvedRunner = {
  runner: { attempt: () => Promise.reject(new Error("no model may be asked")) },
  provider: "openai",
  price: ({ input, output }) => input + 10 * output,
};

describe("reservationFor", () => {
  const short = { system: "", user: "abc", settings: { max_tokens: 100 } };

  it("takes a token for three bytes, and the whole reply that is allowed", () => {
    const reserved = reservationFor(requestFor("openai/gpt-4o", short), runner);
    expect(reserved).toEqual({ tokens: 101, microUsd: 1_001, seconds: 0 });
  });

  it("leaves room for what a model thinks before it answers", () => {
    const thinking = { ...runner, runner: { ...runner.runner, thinks: () => true } };
    const reserved = reservationFor(requestFor("openai/o3", short), thinking);
    expect(reserved).toEqual({ tokens: 1 + 100 + 4_096, microUsd: 41_961, seconds: 0 });
  });

  it.each([null, {}, { max_tokens: "many" }, "max_tokens", 7])(
    "takes the usual longest reply if the settings name none: %j",
    (settings) => {
      const reserved = reservationFor(requestFor("openai/gpt-4o", { ...short, settings }), runner);
      expect(reserved.tokens).toBe(1 + 4_096);
    },
  );
});
