import { expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { buildLinkTable } from "./link-table.ts";

it("lists links to notes once, resolved or broken, and nothing else", () => {
  const { links } = parseNote(
    [
      "[returns](returns.md#days) [again](returns.md#days) [gone](gone.md) [web](https://shop.example/a.md)",
      "[top](#top) ![logo](logo.md) [sheet](prices.xlsx) [out](../../etc/x.md) `[code](returns.md)`",
    ].join("\n"),
  );
  expect(buildLinkTable("notes/prices.md", links, (path) => path === "notes/returns.md")).toEqual([
    { text: "again", destination: "returns.md#days", path: "notes/returns.md" },
    { text: "gone", destination: "gone.md" },
    { text: "out", destination: "../../etc/x.md" },
  ]);
});
