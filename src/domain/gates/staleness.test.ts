import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AcceptanceSnapshot } from "./snapshots.ts";
import { classifyStaleness, explainStaleness } from "./staleness.ts";

const note = { path: "notes/prices.md", blobSha: "n1" };
const gate = { id: "prose/stock-phrases", blobSha: "g1" };
const acceptance: AcceptanceSnapshot = {
  notePath: note.path,
  gateId: gate.id,
  modelId: "gpt-5",
  acceptedNoteSha: "n1",
  acceptedGateSha: "g1",
};

describe("a pair", () => {
  it.each([
    ["without an acceptance", undefined, "missing-review"],
    ["with the accepted versions", acceptance, undefined],
    ["with another gate", { ...acceptance, acceptedGateSha: "g0" }, "gate-changed"],
    ["with another note", { ...acceptance, acceptedNoteSha: "n0" }, "note-changed"],
    [
      "with both changed",
      { ...acceptance, acceptedNoteSha: "n0", acceptedGateSha: "g0" },
      "gate-changed",
    ],
    [
      "with another pair's acceptance",
      { ...acceptance, notePath: "notes/other.md" },
      "missing-review",
    ],
  ])("%s", (_, accepted, reason) => {
    expect(classifyStaleness(note, gate, accepted)?.reason).toBe(reason);
    expect(explainStaleness(note, gate, accepted)).toMatch(new RegExp(`^${reason ?? "fresh"}: `));
  });
});

/**
 * An independent model: it keeps the whole history as a list of what happened, compares texts instead of ids and
 * looks backwards from the end each time it is asked.
 */
class History {
  readonly #events: { readonly what: string; readonly of: string; readonly text: string }[] = [];

  write(name: string, text: string): void {
    this.#events.push({ what: "written", of: name, text });
  }

  accept(noteName: string, gateName: string, model: string): void {
    const text = JSON.stringify([this.textOf(noteName), this.textOf(gateName)]);
    this.#events.push({ what: "accepted", of: `${noteName}|${gateName}|${model}`, text });
  }

  textOf(name: string): string {
    return (
      this.#events.findLast((event) => event.what === "written" && event.of === name)?.text ?? ""
    );
  }

  reasonFor(noteName: string, gateName: string, model: string): string | undefined {
    const wanted = `${noteName}|${gateName}|${model}`;
    for (const event of [...this.#events].reverse()) {
      if (event.what !== "accepted" || event.of !== wanted) continue;
      const [noteText, gateText] = JSON.parse(event.text) as [string, string];
      if (gateText !== this.textOf(gateName)) return "gate-changed";
      return noteText === this.textOf(noteName) ? undefined : "note-changed";
    }
    return "missing-review";
  }
}

const notes = ["notes/prices.md", "notes/returns.md"] as const;
const gates = ["prose/stock-phrases", "semantic/claims"] as const;
const models = ["gpt-5", "claude-opus"] as const;
const sha = (text: string) => createHash("sha1").update(text).digest("hex");

it("is classified as the model of the whole history says, after any history", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("write" as const),
      name: fc.constantFrom(...notes, ...gates),
      text: fc.constantFrom("first", "second", "third"),
    }),
    fc.record({
      kind: fc.constant("accept" as const),
      note: fc.constantFrom(...notes),
      gate: fc.constantFrom(...gates),
      model: fc.constantFrom(...models),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const history = new History();
      const current = new Map<string, AcceptanceSnapshot>();
      for (const happened of steps) {
        if (happened.kind === "write") history.write(happened.name, happened.text);
        else {
          history.accept(happened.note, happened.gate, happened.model);
          current.set(`${happened.note} ${happened.gate} ${happened.model}`, {
            notePath: happened.note,
            gateId: happened.gate,
            modelId: happened.model,
            acceptedNoteSha: sha(history.textOf(happened.note)),
            acceptedGateSha: sha(history.textOf(happened.gate)),
          });
        }
      }
      for (const path of notes)
        for (const id of gates)
          for (const model of models) {
            const staleness = classifyStaleness(
              { path, blobSha: sha(history.textOf(path)) },
              { id, blobSha: sha(history.textOf(id)) },
              current.get(`${path} ${id} ${model}`),
            );
            expect(staleness?.reason).toBe(history.reasonFor(path, id, model));
          }
    }),
    { numRuns: 500 },
  );
});
