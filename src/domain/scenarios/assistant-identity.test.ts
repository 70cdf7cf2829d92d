import { expect, it } from "vitest";
import { assistantName } from "./assistant-identity.ts";

it("names an assistant by its own name and its address", () => {
  expect(assistantName({ url: "http://shop" })).toBe("http://shop");
  expect(assistantName({ url: "http://shop", name: "Shop 2" })).toBe("Shop 2 at http://shop");
});
