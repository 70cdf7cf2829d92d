import { describe, expect, it } from "vitest";
import { turnInProgress } from "./turn-in-progress.ts";

const writing = { key: "turn/2/candidate/1/create", role: "creator", text: "Fall asl" };
const review = { key: "turn/2/candidate/1/review/reviewer", role: "reviewer", text: "Nearly: " };

describe("the turn that is being taken", () => {
  it("shows the words as they are written", () => {
    expect(turnInProgress({ turn: 2, candidates: [] }, [writing])).toEqual({
      texts: [{ index: 1, text: "Fall asl" }],
      reviews: [],
    });
  });

  it("keeps the recorded text on the screen while its review arrives", () => {
    const candidates = [{ index: 1, content: "Fall asleep in Hamburg." }];
    expect(turnInProgress({ turn: 2, candidates }, [writing, review])).toEqual({
      texts: [{ index: 1, text: "Fall asleep in Hamburg." }],
      reviews: [review],
    });
  });

  it("shows words whose turn the page has not read yet", () => {
    const { texts } = turnInProgress({ turn: 0, candidates: [] }, [writing]);
    expect(texts).toEqual([{ index: 1, text: "Fall asl" }]);
  });

  it("shows nothing of an earlier turn", () => {
    expect(turnInProgress({ turn: 3, candidates: [] }, [writing, review])).toEqual({
      texts: [],
      reviews: [],
    });
  });
});
