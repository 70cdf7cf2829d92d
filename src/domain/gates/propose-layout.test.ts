import { expect, it } from "vitest";
import { proposeLayout } from "./propose-layout.ts";

const note = (path: string) => ({ path, keys: ["description", "type"] });
const gate = (path: string) => ({ path, keys: ["description", "watches"] });

it("takes the topmost folders with front matter for notes, and the folder above the lenses for gates", () => {
  const layout = proposeLayout(
    [
      { path: "README.md" },
      note("kb/notes/a.md"),
      note("kb/notes/definitions/b.md"),
      note("kb/reference/c.md"),
      { path: "kb/reference/plain.md" },
      { path: "docs/install.md" },
      gate("kb/checks/prose/x.md"),
      gate("kb/checks/semantic/y.md"),
      { path: "kb/checks/semantic/z.md", keys: ["description"] },
      note(".github/template.md"),
      note("node_modules/some/readme.md"),
    ],
    "signoff/gates",
  );
  expect(layout).toEqual({
    roots: [
      { folder: "kb/notes", files: 2 },
      { folder: "kb/reference", files: 2 },
    ],
    gates: { folder: "kb/checks", files: 3 },
    passedOver: ["README.md", "docs/install.md"],
  });
});

it("takes any markdown where no file has front matter, and finds nothing where there is nothing", () => {
  const plain = [{ path: "README.md" }, { path: "vault/a.md" }, { path: "vault/deep/b.md" }];
  expect(proposeLayout(plain, "signoff/gates")).toEqual({
    roots: [{ folder: "vault", files: 2 }],
    passedOver: ["README.md"],
  });
  expect(proposeLayout([{ path: "README.md" }], "signoff/gates")).toEqual({
    roots: [],
    passedOver: ["README.md"],
  });
});

it("uses the configured folder of gates if it holds any", () => {
  const files = [gate("signoff/gates/prose/x.md"), gate("old/checks/prose/y.md"), note("n/a.md")];
  expect(proposeLayout(files, "signoff/gates").gates).toEqual({
    folder: "signoff/gates",
    files: 1,
  });
});
