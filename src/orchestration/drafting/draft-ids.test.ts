import { v5 as uuidv5 } from "uuid";
import { describe, expect, it } from "vitest";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import type { FlowContext } from "../../ports/flow.ts";
import { candidateIdOf, issueIdOf } from "./draft-ids.ts";

const ctx = { newId: (name: string) => `of the run: ${name}` } as FlowContext;
const scripted = { assetId: "größenführer", fixedIds: true } as DraftInput;
const zeroNamespace = new Uint8Array(16);

describe("ids of a scripted run", () => {
  it("are UUIDs of version 5 in the namespace of zeros, whichever run it is", () => {
    expect(candidateIdOf(ctx, scripted, { iteration: 3, index: 1 })).toBe(
      uuidv5("candidate:größenführer:3", zeroNamespace),
    );
    const place = { iteration: 3, candidateIndex: 2, reviewer: "legal", ordinal: 4 };
    expect(issueIdOf(ctx, scripted, place)).toBe(
      uuidv5("review_issue:größenführer:3:2:4", zeroNamespace),
    );
  });
});

describe("ids of any other run", () => {
  it("are the run's own", () => {
    const input = { ...scripted, fixedIds: false };
    expect(candidateIdOf(ctx, input, { iteration: 1, index: 2 })).toBe(
      "of the run: candidate:größenführer:1:2",
    );
  });
});
