import { expect, it } from "vitest";
import type { ClosingGate } from "./closing-gate.ts";
import { stageStanding } from "./stage-standing.ts";

const gate = (more: Partial<ClosingGate>): ClosingGate => ({
  ...{ loopAcceptedGate: true, acceptedGate: true, status: "closed", unprovenRepairs: [] },
  ...{ openFindings: [], reasons: [], missing: [], deciders: ["model"] },
  ...more,
});
const closedBy = { confirmedBy: "Ada" } as ClosingGate["closedBy"] & object;
const paths = { manifest: "stage.yaml", assistantUrl: "http://shop" };

it("a stage is accepted when a person may close it or has closed it", () => {
  expect(stageStanding("one", gate({}), paths)).toEqual({
    ...{ kind: "stage", name: "one", accepted: true, support: "proven", deciders: ["model"] },
    why: "ready for a person's confirmation",
  });
  expect(stageStanding("one", gate({ closedBy }), paths)).toMatchObject({
    ...{ why: "closed by Ada", deciders: ["model", "person"] },
  });
});

it("a stage that is not accepted names what it lacks and the command that supplies it", () => {
  const missing = [{ text: "A run is missing.", command: "run", more: " --repair r1" }];
  const open = gate({ acceptedGate: false, missing });
  expect(stageStanding("one", open, paths)).toEqual({
    ...{ kind: "stage", name: "one", accepted: false, why: "not accepted" },
    missing: [
      {
        text: "A run is missing.",
        command: "signoff stage run --manifest stage.yaml --assistant-url http://shop --repair r1",
      },
    ],
  });
  expect(stageStanding("one", { ...open, closedBy }, paths)).toMatchObject({
    ...{ accepted: false, why: "closed by Ada, but the evidence is lost" },
  });
});
