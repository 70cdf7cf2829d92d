import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromWire, snakeCase, toWire, wireJsonSchema } from "./snake-case.ts";

const parcel = z.object({
  trackingCode: z.string(),
  weightGrams: z.number().exactOptional(),
  handedOver: z.nullable(z.string()),
  stops: z
    .array(z.object({ cityName: z.string(), arrivedAt: z.string().exactOptional() }))
    .readonly(),
  labels: z.record(z.string(), z.string()),
  customsForm: z.unknown(),
  carrier: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("bike"), riderName: z.string() }),
    z.object({ kind: z.literal("van"), licencePlate: z.string() }),
  ]),
});

const shipped: z.output<typeof parcel> = {
  trackingCode: "camelCase stays",
  handedOver: null,
  stops: [{ cityName: "Kiel" }, { cityName: "Bergen", arrivedAt: "noon" }],
  labels: { fragileGoods: "yes" },
  customsForm: { declaredValue: [{ inEuro: 12 }] },
  carrier: { kind: "van", licencePlate: "KI-1" },
};

describe("the form on the wire", () => {
  it("renames declared keys and nothing of the user's", () => {
    expect(toWire(parcel, shipped, { absent: "omit" })).toEqual({
      tracking_code: "camelCase stays",
      handed_over: null,
      stops: [{ city_name: "Kiel" }, { city_name: "Bergen", arrived_at: "noon" }],
      labels: { fragileGoods: "yes" },
      customs_form: { declaredValue: [{ inEuro: 12 }] },
      carrier: { kind: "van", licence_plate: "KI-1" },
    });
  });

  it("writes an absent member as null when asked to", () => {
    expect(toWire(parcel, shipped, { absent: "null" })).toMatchObject({
      weight_grams: null,
      stops: [{ city_name: "Kiel", arrived_at: null }, { arrived_at: "noon" }],
    });
  });

  it.each(["null", "omit"] as const)("is read back the same, absent as %s", (absent) => {
    expect(fromWire(parcel, toWire(parcel, shipped, { absent }))).toStrictEqual(shipped);
  });

  it("keeps null where null is a value", () => {
    expect(fromWire(parcel, toWire(parcel, shipped, { absent: "omit" })).handedOver).toBeNull();
  });

  it("reports errors under the names on the wire", () => {
    const wrong = { ...(toWire(parcel, shipped, { absent: "omit" }) as object), tracking_code: 7 };
    expect(() => fromWire(parcel, wrong)).toThrow(/tracking_code/u);
  });

  it("ignores undeclared keys, including __proto__", () => {
    const text = JSON.stringify(toWire(parcel, shipped, { absent: "omit" }));
    const json: unknown = JSON.parse(text.replace("{", '{"__proto__":{"polluted":1},"extra":1,'));
    expect(fromWire(parcel, json)).toStrictEqual(shipped);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("checks lists and objects as a whole, under the names of the shape", () => {
    const tour = z
      .object({
        stops: z
          .array(z.object({ cityName: z.string() }))
          .max(3, "has too many stops")
          .refine(
            (all) => new Set(all.map(({ cityName }) => cityName)).size === all.length,
            "stops twice in one city",
          ),
        lastStop: z.string(),
      })
      .refine(({ stops, lastStop }) => stops.at(-1)?.cityName === lastStop, "ends elsewhere");
    const tourTo = (...cities: readonly string[]) => ({
      stops: cities.map((name) => ({ city_name: name })),
      last_stop: "Bergen",
    });
    expect(() => fromWire(tour, tourTo("Kiel", "Oslo", "Moss", "Bergen"))).toThrow(/too many/u);
    expect(() => fromWire(tour, tourTo("Bergen", "Bergen"))).toThrow(/stops twice/u);
    expect(() => fromWire(tour, tourTo("Kiel"))).toThrow(/ends elsewhere/u);
    expect(fromWire(tour, tourTo("Kiel", "Bergen")).stops).toHaveLength(2);
    expect(wireJsonSchema(tour)).toMatchObject({ properties: { stops: { maxItems: 3 } } });
  });

  it("merges both sides of an intersection", () => {
    const both = z.intersection(
      z.object({ firstStop: z.string() }),
      z.object({ lastStop: z.string() }),
    );
    const json = toWire(both, { firstStop: "Kiel", lastStop: "Bergen" }, { absent: "omit" });
    expect(json).toEqual({ first_stop: "Kiel", last_stop: "Bergen" });
    expect(fromWire(both, json)).toEqual({ firstStop: "Kiel", lastStop: "Bergen" });
  });

  it("refuses two keys that would meet", () => {
    const clash = z.object({ trackingCode: z.string(), tracking_code: z.string() });
    expect(() => fromWire(clash, {})).toThrow(/same name on the wire/u);
  });

  it("refuses shapes in which a declared key could hide", () => {
    const tuple = z.object({ route: z.tuple([z.object({ cityName: z.string() })]) });
    const value = { route: [{ cityName: "Kiel" }] } satisfies z.output<typeof tuple>;
    expect(() => toWire(tuple, value, { absent: "omit" })).toThrow(/type tuple/u);
  });

  it("has a JSON Schema with the same names", () => {
    expect(wireJsonSchema(parcel)).toMatchObject({
      type: "object",
      properties: { tracking_code: { type: "string" }, stops: { type: "array" } },
      required: expect.arrayContaining(["tracking_code", "handed_over"]),
    });
    expect(JSON.stringify(wireJsonSchema(parcel))).not.toContain("trackingCode");
  });

  it("names every word apart", () => {
    expect(snakeCase("averageDurationPerTurn")).toBe("average_duration_per_turn");
    expect(snakeCase("microUsd")).toBe("micro_usd");
  });
});
