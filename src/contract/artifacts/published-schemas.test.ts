import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { publishedSchemas } from "./published-schemas.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

test("the schemas in schemas/ are those of this code", () => {
  for (const [name, schema] of publishedSchemas()) {
    expect(JSON.parse(read(`schemas/${name}`)), name).toEqual(schema);
  }
});

test("an editor that knows the schemas accepts the example and marks a wrong key", () => {
  const ajv = new Ajv2020({ strict: false });
  const schema = (name: string) => publishedSchemas().get(name) as object;
  const pack = ajv.compile(schema("pack-manifest.schema.json"));
  const example = parse(read("examples/scenario-pack/pack.yaml")) as object;
  expect(pack(example)).toBe(true);
  expect(pack({ ...example, scenariox: [] })).toBe(false);
  const scenario = ajv.compile(schema("scenario-manifest.schema.json"));
  expect(scenario(parse(read("examples/scenario-pack/changing-dates.yaml")))).toBe(true);
});
