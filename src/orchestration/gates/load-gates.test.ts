import { describe, expect, it } from "vitest";
import { parseGateFile } from "../../contract/gates/gate-file.ts";
import { chooseGates, type Gate } from "./load-gates.ts";

const ids = ["prose/calm", "prose/plain", "prose-style/short", "semantic/claims"];
const gates: readonly Gate[] = ids.map((id) => {
  const path = `signoff/gates/${id}.md`;
  const parsed = parseGateFile(id, path, "Warn for long words.\n");
  if (parsed.kind === "problems") throw new Error(`the gate ${id} should be readable`);
  return { ...parsed.value, path, blobSha: "", text: "" };
});
const chosen = (...asked: string[]) => chooseGates(gates, asked).map(({ id }) => id);

describe("gates asked for", () => {
  it("are all of them when none is named", () => {
    expect(chosen()).toEqual(ids);
  });

  it("come in the order of the arguments, a lens in the order of its files", () => {
    expect(chosen("semantic/claims", "prose")).toEqual([
      "semantic/claims",
      "prose/calm",
      "prose/plain",
    ]);
  });

  it("come once, however often they are named", () => {
    expect(chosen("prose", "prose/calm", "prose")).toEqual(["prose/calm", "prose/plain"]);
  });

  it.each(["prose/clam", "../prose/calm", "prose/../semantic/claims", ""])(
    "that do not exist are named: %j",
    (name) => {
      expect(() => chosen("prose", name)).toThrow(`There is no gate "${name}".`);
    },
  );
});
