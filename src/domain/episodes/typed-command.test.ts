import { expect, it } from "vitest";
import { typedCommand } from "./typed-command.ts";

it("names the workspace where it has to be named, in a form that can be pasted", () => {
  expect(typedCommand("episode review --all", undefined)).toBe("signoff episode review --all");
  expect(typedCommand("episode review --all", "episodes/one two")).toBe(
    "signoff episode review --all --workspace 'episodes/one two'",
  );
  expect(typedCommand("models", "episodes/one")).toBe("(cd episodes/one && signoff models)");
});
