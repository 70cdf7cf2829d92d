import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { episodeJsonSchemas } from "./schemas.ts";

const schemas = episodeJsonSchemas();
const schemaOf = (name: string) => schemas[name] as object;
const published = join(import.meta.dirname, "../../../schemas");
const fixture = (path: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, "fixtures/bread-042", path), "utf8"));

test.each(Object.keys(schemas))("%s can be published as a JSON Schema", (name) => {
  expect(() => new Ajv2020({ strict: false }).compile(schemaOf(name))).not.toThrow();
});

test("the published schema accepts the original program's files and refuses a broken one", () => {
  const validate = new Ajv2020({ strict: false }).compile(schemaOf("episode-state"));
  expect(validate(fixture("state.json"))).toBe(true);
  expect(validate({ ...(fixture("state.json") as object), mood: "calm" })).toBe(false);
});

test.each(Object.keys(schemas))("schemas/%s.schema.json is what the code says", (name) => {
  const file = join(published, `${name}.schema.json`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(schemas[name]);
});
