import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { configJsonSchema } from "./config-json-schema.ts";

it("is the schema that is published", () => {
  const file = new URL("../../../schemas/signoff.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(configJsonSchema());
});
