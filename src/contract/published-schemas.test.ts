import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { publishedSchemas } from "./published-schemas.ts";

const schemas = publishedSchemas();
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const compile = (name: string) =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(schemas.get(name) as object);

test.each([...schemas.keys()])("schemas/%s is what the code says, and is a JSON Schema", (name) => {
  expect(JSON.parse(read(`schemas/${name}`))).toEqual(schemas.get(name));
  expect(() => compile(name)).not.toThrow();
});

test("an editor that knows the schemas accepts the example and marks a wrong key", () => {
  const pack = compile("pack-manifest.schema.json");
  const example = parse(read("examples/scenario-pack/pack.yaml")) as object;
  expect(pack(example)).toBe(true);
  expect(pack({ ...example, scenariox: [] })).toBe(false);
  const scenario = compile("scenario-manifest.schema.json");
  expect(scenario(parse(read("examples/scenario-pack/changing-dates.yaml")))).toBe(true);
});

test("the schema of the state accepts the original program's file and refuses a broken one", () => {
  const validate = compile("episode-state.schema.json");
  const state = JSON.parse(read("src/contract/episodes/fixtures/bread-042/state.json")) as object;
  expect(validate(state)).toBe(true);
  expect(validate({ ...state, mood: "calm" })).toBe(false);
});

test("the schema of the settings accepts what the program accepts", () => {
  const validate = compile("signoff.schema.json");
  expect(validate({ version: 1, drafting: { max_turns: 3 }, studio: { port: 4401 } })).toBe(true);
  expect(validate({ version: 1, drafting: { max_turn: 3 } })).toBe(false);
  expect(validate({ version: 1, studio: { port: 70_000 } })).toBe(false);
});
