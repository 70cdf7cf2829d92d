import { describe, expect, it } from "vitest";
import { Chance, mutatedReply, replyTargets } from "../support/reply-mutations.ts";

/** The short form of `npm run fuzz`, which tries a million. */
const replies = 4_000;

describe.each(replyTargets)("$name", (target) => {
  it("is a yes in the forms that are mutated", () => {
    const yes = target.accepted.filter(target.isYes);
    expect(yes).toEqual(target.accepted);
  });

  it(`says yes to none of ${replies} replies that keep a reservation`, () => {
    const chance = new Chance(20261117);
    for (let at = 0; at < replies; at += 1) {
      const reply = mutatedReply(target, chance);
      expect(target.isYes(reply), JSON.stringify(reply)).toBe(false);
    }
  });
});
