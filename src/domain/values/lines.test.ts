import { describe, expect, it } from "vitest";
import { linesOf } from "./lines.ts";

describe("linesOf", () => {
  it("cuts at line feeds and keeps empty lines", () => {
    expect(linesOf("Bees\n\nHoney\n")).toEqual(["Bees", "", "Honey", ""]);
    expect(linesOf("")).toEqual([""]);
  });

  it.each(["\r\n", "\r", "\u2028", "\u2029"])("cuts at %j, alone and beside line feeds", (end) => {
    expect(linesOf(`Bees${end}Honey`)).toEqual(["Bees", "Honey"]);
    expect(linesOf(`Bees${end}${end}Honey\nWax`)).toEqual(["Bees", "", "Honey", "Wax"]);
  });
});
