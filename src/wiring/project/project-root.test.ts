import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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

  it.runIf(process.getuid?.() === 0)("does not take what another user has put above", () => {
    const deep = folder("shop", "copy");
    const file = join(place, "shop", "signoff.yaml");
    writeFileSync(file, "version: 1\n");
    chownSync(file, 4711, 4711);
    expect(findProjectRoot(deep, undefined)).toBe(deep);
    expect(findProjectRoot(join(place, "shop"), undefined)).toBe(join(place, "shop"));
    // A project that was mounted into a container belongs to a user of the machine outside.
    chownSync(deep, 4711, 4711);
    expect(findProjectRoot(deep, undefined)).toBe(join(place, "shop"));
  });

  it("never takes the home folder for a project", () => {
    folder("home", ".signoff");
    const deep = folder("home", "shop");
    expect(findProjectRoot(deep, join(place, "home"))).toBe(deep);
  });
});
