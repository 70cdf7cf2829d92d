import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { detectRenames } from "./detect-renames.ts";
import { encodeDestination, relativePath, resolveLink } from "./link-target.ts";
import { applyRewrites, movesOfFolder, type NotePathMove, planMoves } from "./plan-moves.ts";

type Files = { readonly [path: string]: string };

function move(
  files: Files,
  moves: readonly NotePathMove[],
): { files: Files; refusals: readonly string[] } {
  const notes = Object.entries(files).map(([path, text]) => ({
    path,
    links: parseNote(text).links,
  }));
  const plan = planMoves({ notes, moves, exists: (path) => Object.hasOwn(files, path) });
  const edits = new Map(plan.edits.map((edit) => [edit.path, edit.rewrites]));
  const places = new Map(moves.map(({ oldPath, newPath }) => [oldPath, newPath]));
  const moved = Object.entries(files).map(([path, text]) => [
    places.get(path) ?? path,
    applyRewrites(text, edits.get(path) ?? []),
  ]);
  return { files: Object.fromEntries(moved), refusals: plan.refusals.map(({ kind }) => kind) };
}

describe("moving a note", () => {
  it("rewrites links to it, its own links and links to itself, and nothing in code", () => {
    const { files } = move(
      {
        "notes/prices.md":
          "[r](returns.md#days) `[r](returns.md)` ![l](img/logo.png)\n\n```\n[r](returns.md)\n```\n",
        "notes/returns.md":
          "[self](returns.md) [p](./prices.md) [web](https://shop.example/returns.md) [top](#days)\n",
        "index.md": "[r]: notes/returns.md 'Returns'\n\n[root](/notes/returns.md?plain)\n",
      },
      [{ oldPath: "notes/returns.md", newPath: "archive/2026/old returns.md" }],
    );
    expect(files).toEqual({
      "notes/prices.md":
        "[r](../archive/2026/old%20returns.md#days) `[r](returns.md)` ![l](img/logo.png)\n\n```\n[r](returns.md)\n```\n",
      "archive/2026/old returns.md":
        "[self](old%20returns.md) [p](../../notes/prices.md) [web](https://shop.example/returns.md) [top](#days)\n",
      "index.md":
        "[r]: archive/2026/old%20returns.md 'Returns'\n\n[root](/archive/2026/old%20returns.md?plain)\n",
    });
  });

  it("keeps angle brackets, a leading dot and a missing extension", () => {
    const { files } = move(
      { "a.md": "[x](<b one.md>) [y](./b%20one.md) [z](b%20one)\n", "b one.md": "" },
      [{ oldPath: "b one.md", newPath: "sub/c two.md" }],
    );
    expect(files["a.md"]).toBe("[x](<sub/c two.md>) [y](./sub/c%20two.md) [z](sub/c%20two)\n");
  });

  it("leaves links between notes that move together as they are", () => {
    const before = {
      "old/a.md": "[b](b.md)\n",
      "old/b.md": "[a](a.md) [out](../c.md)\n",
      "c.md": "",
      "older/x.md": "",
    };
    const moves = movesOfFolder("old", "new", Object.keys(before));
    const { files } = move(before, moves);
    expect(files).toEqual({
      "new/a.md": before["old/a.md"],
      "new/b.md": before["old/b.md"],
      "c.md": "",
      "older/x.md": "",
    });
  });

  it.each<[string, NotePathMove[], string[]]>([
    ["a file that is there", [{ oldPath: "a.md", newPath: "b.md" }], ["destination-exists"]],
    ["itself", [{ oldPath: "a.md", newPath: "a.md" }], ["same-place"]],
    ["somewhere out of the root", [{ oldPath: "a.md", newPath: "../a.md" }], ["outside-root"]],
    [
      "a place taken by another move",
      [
        { oldPath: "a.md", newPath: "c.md" },
        { oldPath: "b.md", newPath: "c.md" },
      ],
      ["same-destination"],
    ],
    [
      "two places",
      [
        { oldPath: "a.md", newPath: "c.md" },
        { oldPath: "a.md", newPath: "d.md" },
      ],
      ["moved-twice"],
    ],
    ["anywhere when it is not there", [{ oldPath: "x.md", newPath: "y.md" }], ["source-missing"]],
    [
      "a place that becomes free",
      [
        { oldPath: "a.md", newPath: "b.md" },
        { oldPath: "b.md", newPath: "a.md" },
      ],
      [],
    ],
  ])("to %s", (_, moves, refusals) => {
    expect(move({ "a.md": "", "b.md": "" }, moves).refusals).toEqual(refusals);
  });

  it("keeps every link leading to its note, there and back again", () => {
    const segment = fc.constantFrom("a", "b c", "d(e)", "ü", "100%", "x#y", "q?");
    const place = fc
      .array(segment, { minLength: 1, maxLength: 3 })
      .map((parts) => `${parts.join("/")}.md`);
    fc.assert(
      fc.property(fc.uniqueArray(place, { minLength: 3, maxLength: 3 }), ([from, to, linker]) => {
        const [oldPath, newPath, other] = [from!, to!, linker!];
        const link = (a: string, b: string) =>
          `[x](${encodeDestination(relativePath(a, b), false)})\n`;
        const before = { [oldPath]: link(oldPath, other), [other]: link(other, oldPath) };
        const leads = ({ files }: { files: Files }) =>
          Object.fromEntries(
            Object.entries(files).map(([path, text]) => [
              path,
              resolveLink(path, parseNote(text).links[0]!.destination),
            ]),
          );
        const lead = (path: string) => ({ kind: "path", path, suffix: "" });
        const there = move(before, [{ oldPath, newPath }]);
        expect(leads(there)).toEqual({ [newPath]: lead(other), [other]: lead(newPath) });
        const back = move(there.files, [{ oldPath: newPath, newPath: oldPath }]);
        expect(leads(back)).toEqual({ [oldPath]: lead(other), [other]: lead(oldPath) });
      }),
    );
  });
});

it("a relative path leads where it should, for any two places", () => {
  const place = fc
    .array(fc.constantFrom("a", "b", "ü v", "%41"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"));
  fc.assert(
    fc.property(place, place, fc.boolean(), (from, to, angle) => {
      const written = encodeDestination(relativePath(from, to), angle);
      expect(resolveLink(from, written)).toEqual({ kind: "path", path: to, suffix: "" });
    }),
  );
});

it("a link never leads out of the root", () => {
  expect(resolveLink("notes/a.md", "../../etc/passwd").kind).toBe("outside-root");
  expect(resolveLink("notes/a.md", "%2e%2e/%2e%2e/etc/passwd").kind).toBe("outside-root");
  expect(resolveLink("notes/a.md", "//host/x").kind).toBe("external");
  expect(resolveLink("notes/a.md", "mailto:ada@shop.example").kind).toBe("external");
});

it("a file moved by other means is recognised by its content, unless that is a guess", () => {
  const at = (path: string, blobSha: string) => ({ path, blobSha });
  const gone = [at("a.md", "1"), at("b.md", "2"), at("c.md", "2"), at("d.md", "3")];
  const fresh = [at("x/a.md", "1"), at("y.md", "2"), at("z.md", "4")];
  expect(detectRenames(gone, fresh)).toEqual([{ oldPath: "a.md", newPath: "x/a.md" }]);
});
