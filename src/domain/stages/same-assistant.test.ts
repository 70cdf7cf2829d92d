import { expect, it } from "vitest";
import { nameOf } from "./same-assistant.ts";

it("names an assistant by its own name and its address", () => {
  type Named = Parameters<typeof nameOf>[0];
  expect(nameOf({ url: "http://shop" } as Named)).toBe("http://shop");
  expect(nameOf({ url: "http://shop", name: "Shop 2" } as Named)).toBe("Shop 2 at http://shop");
});
