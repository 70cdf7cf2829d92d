import { describe, expect, it } from "vitest";
import { placeholderValues } from "./placeholder-values.ts";

const valuesOf = (template: string, resolved?: string) =>
  placeholderValues(template, resolved).flatMap((part) =>
    part.kind === "placeholder" ? [[part.expression, part.value]] : [],
  );

describe("the values of a question's placeholders", () => {
  it("are read from the question as it was sent", () => {
    expect(
      valuesOf(
        "How many {{stock.entries[0].name}} were sold after {{bindings.spring}}?",
        "How many Oak desk were sold after 2024-03-31?",
      ),
    ).toEqual([
      ["stock.entries[0].name", "Oak desk"],
      ["bindings.spring", "2024-03-31"],
    ]);
    expect(valuesOf("{{bindings.all}}", "Every stool 🪑")).toEqual([
      ["bindings.all", "Every stool 🪑"],
    ]);
  });

  it("are left open where two readings fit, and where nothing was sent", () => {
    expect(valuesOf("{{a.b}} and {{c.d}}", "desk and lamp and chair")).toEqual([
      ["a.b", undefined],
      ["c.d", undefined],
    ]);
    expect(valuesOf("Sold on {{bindings.day}}?")).toEqual([["bindings.day", undefined]]);
    expect(valuesOf("Sold on {{bindings.day}}?", "Something else")).toEqual([
      ["bindings.day", undefined],
    ]);
  });

  it("keep every word of the question as it was written", () => {
    const parts = placeholderValues("And on {{bindings.spring}}, {{x.y}}?", "And on May, then?");
    const text = parts.map((part) => (part.kind === "text" ? part.text : `{{${part.expression}}}`));
    expect(text.join("")).toBe("And on {{bindings.spring}}, {{x.y}}?");
    expect(placeholderValues("What is {{ this", undefined)).toEqual([
      { kind: "text", text: "What is {{ this", at: 0 },
    ]);
  });
});
