import { expect, test } from "vitest";
import { canonicalJson } from "../values/canonical-json.ts";
import { extractEntries } from "./entries.ts";
import { normalizeFilters, readCriticality } from "./manifest.ts";
import {
  type ConversationItem,
  decideRecovery,
  isStateless,
  SESSION_KINDS,
  type SessionOutcome,
} from "./turn.ts";

const said = (role: ConversationItem["role"], text: string): ConversationItem => ({ role, text });
const session = (...items: readonly ConversationItem[]): SessionOutcome => ({
  kind: "found",
  sessionId: "s1",
  items,
  raw: {},
});

test("an answer that was given before a crash is used", () => {
  expect(
    decideRecovery(session(said("user", "Stock?"), said("assistant", "12 desks")), "Stock? ", 0),
  ).toEqual({ kind: "use", item: said("assistant", "12 desks") });
});

test("a question without an answer is waited for, one that is not last is sent", () => {
  expect(decideRecovery(session(said("user", "Stock?")), "Stock?", 0).kind).toBe("wait");
  expect(
    decideRecovery(
      session(
        said("user", "Stock?"),
        said("assistant", "12"),
        said("user", "Sales?"),
        said("assistant", "3"),
      ),
      "Stock?",
      0,
    ).kind,
  ).toBe("send");
  expect(decideRecovery(session(), "Stock?", 0).kind).toBe("send");
});

test("the answer to an earlier step that asked the same is not taken for this one's", () => {
  const once = [said("user", "And more?"), said("assistant", "Lamps.")];
  expect(decideRecovery(session(...once), "And more?", 1).kind).toBe("send");
  expect(decideRecovery(session(...once, said("user", "And more?")), "And more?", 1).kind).toBe(
    "wait",
  );
  expect(
    decideRecovery(
      session(...once, said("user", "And more?"), said("assistant", "Chairs.")),
      "And more?",
      1,
    ),
  ).toEqual({ kind: "use", item: said("assistant", "Chairs.") });
});

test("without a readable session the scenario starts again", () => {
  expect(decideRecovery({ kind: "unsupported" }, "Stock?", 0).kind).toBe("new-attempt");
  expect(
    decideRecovery(
      { kind: "failed", failure: { kind: "session_lost", message: "gone", accepted: true } },
      "Stock?",
      0,
    ).kind,
  ).toBe("new-attempt");
});

test("entries come from the payload, else from a table, else from a list", () => {
  expect(extractEntries([{ item: "desk" }], "- lamp").method).toBe("payload");
  expect(
    extractEntries(
      [],
      "In stock:\n\n| Item | On hand |\n|---|---|\n| Oak desk | 12 |\n| Lamp | 3 |\n\nThat is all.",
    ),
  ).toEqual({
    method: "table",
    entries: [
      { item: "Oak desk", on_hand: "12" },
      { item: "Lamp", on_hand: "3" },
    ],
  });
  expect(extractEntries([], "Two:\n1. Oak desk: 12 pieces\n2) **Lamp** — 3")).toEqual({
    method: "list",
    entries: [
      { item: "Oak desk", text: "Oak desk: 12 pieces" },
      { item: "Lamp", text: "**Lamp** — 3" },
    ],
  });
  expect(extractEntries([], "Nordholz.").method).toBe("none");
});

test.each([
  [undefined, "critical"],
  ["often", "critical"],
  [" WARNING ", "warning"],
  ["Info", "info"],
])("criticality %s is %s", (word, expected) => {
  expect(readCriticality(word)).toBe(expected);
});

test("filters are lists of values; anything but an object asks for nothing", () => {
  expect(normalizeFilters({ item: "desk", day: ["a", "b"] })).toEqual({
    item: ["desk"],
    day: ["a", "b"],
  });
  expect(normalizeFilters(["desk"])).toEqual({});
  expect(normalizeFilters(undefined)).toEqual({});
});

test("canonical JSON does not depend on the order of keys", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "ü" }], a: true })).toBe(
    '{"a":true,"b":[1,{"c":"ü","d":null}]}',
  );
});

test("a lost question may be sent again where the assistant keeps no conversation", () => {
  expect(SESSION_KINDS.filter(isStateless)).toEqual(["rotating", "history", "none"]);
});
