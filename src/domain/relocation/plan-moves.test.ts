import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { findWrittenLinks } from "../../contract/documents/written-links.ts";
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
    links: findWrittenLinks(text),
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

  it("plans edits only for notes in which a link changes", () => {
    const files: Files = { "a.md": "", "b.md": "[a](a.md)\n", "c.md": "[b](b.md)\n" };
    const notes = Object.entries(files).map(([path, text]) => ({
      path,
      links: findWrittenLinks(text),
    }));
    const moves = [{ oldPath: "a.md", newPath: "d.md" }];
    const { edits } = planMoves({ notes, moves, exists: (path) => Object.hasOwn(files, path) });
    expect(edits.map(({ path }) => path)).toEqual(["b.md"]);
  });

  it.each<[string, NotePathMove[], string[]]>([
    ["a file that is there", [{ oldPath: "a.md", newPath: "b.md" }], ["destination-exists"]],
    ["itself", [{ oldPath: "a.md", newPath: "a.md" }], ["same-place"]],
    ["somewhere out of the root", [{ oldPath: "a.md", newPath: "../a.md" }], ["outside-root"]],
    ["the root of the disk", [{ oldPath: "a.md", newPath: "/a.md" }], ["outside-root"]],
    ["a path with a dot", [{ oldPath: "a.md", newPath: "./c.md" }], ["outside-root"]],
    ["no path", [{ oldPath: "a.md", newPath: "" }], ["outside-root"]],
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

describe("links between double brackets", () => {
  const target = (to: string) => [{ oldPath: "kb/notes/rye.md", newPath: to }];
  const linked = (text: string, to: string, more: Files = {}) =>
    move({ "kb/notes/rye.md": "# Rye\n", "kb/index.md": text, ...more }, target(to)).files[
      "kb/index.md"
    ];

  it("follow a note that gets another name, with heading, alias and embedding", () => {
    const text = "[[rye]] [[Rye#Care|the rye]] ![[rye.md]] [[rye^block]] `[[rye]]` [[wheat]]\n";
    expect(linked(text, "kb/notes/dark-rye.md")).toBe(
      "[[dark-rye]] [[dark-rye#Care|the rye]] ![[dark-rye.md]] [[dark-rye^block]] `[[rye]]` [[wheat]]\n",
    );
  });

  it("stay as they are when only the folder changes, unless they name it", () => {
    const text = "[[rye]] [[kb/notes/rye]] [[notes/rye|here]]\n";
    expect(linked(text, "kb/old/rye.md")).toBe("[[rye]] [[kb/old/rye]] [[old/rye|here]]\n");
  });

  it("give the folder where the new name is not the only one, and leave doubtful ones alone", () => {
    const other = { "kb/old/dark.md": "# Dark\n" };
    expect(linked("[[rye]]\n", "kb/notes/dark.md", other)).toBe("[[kb/notes/dark]]\n");
    const twice = { "kb/old/rye.md": "# Rye\n" };
    expect(linked("[[rye]]\n", "kb/notes/dark.md", twice)).toBe("[[rye]]\n");
  });
});

it("links of HTML follow as well, in their own quotation marks", () => {
  const { files } = move(
    {
      "notes/rye.md": "# Rye\n",
      "notes/a.md": "See <a class='x' href=\"rye.md#care\">it</a>.\n\n<img src='rye.md'>\n",
      "notes/b.md": '`<a href="rye.md">`\n',
    },
    [{ oldPath: "notes/rye.md", newPath: "old/dark rye.md" }],
  );
  expect(files["notes/a.md"]).toBe(
    "See <a class='x' href=\"../old/dark%20rye.md#care\">it</a>.\n\n<img src='../old/dark%20rye.md'>\n",
  );
  expect(files["notes/b.md"]).toBe('`<a href="rye.md">`\n');
});
