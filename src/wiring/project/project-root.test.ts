import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProjectRoot } from "./project-root.ts";

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "signoff-root-")));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function folder(...parts: readonly string[]): string {
  const path = join(place, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

describe("findProjectRoot", () => {
  it("finds the nearest folder upward with signoff.yaml or .signoff", () => {
    const deep = folder("shop", "copy", "slogans");
    writeFileSync(join(place, "shop", "signoff.yaml"), "version: 1\n");
    expect(findProjectRoot(deep, undefined)).toBe(join(place, "shop"));
    folder("shop", "copy", ".signoff");
    expect(findProjectRoot(deep, undefined)).toBe(join(place, "shop", "copy"));
  });

  it("does not look above the top of a git repository", () => {
    folder(".signoff");
    folder("shop", ".git");
    const deep = folder("shop", "copy");
    expect(findProjectRoot(deep, undefined)).toBe(deep);
  });

  it("never takes the home folder for a project", () => {
    folder("home", ".signoff");
    const deep = folder("home", "shop");
    expect(findProjectRoot(deep, join(place, "home"))).toBe(deep);
  });
});
