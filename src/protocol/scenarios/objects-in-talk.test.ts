import { expect, it } from "vitest";
import { objectsInTalk } from "./objects-in-talk.ts";

it.each([
  ["nothing", []],
  ['{"a":1}', [{ a: 1 }]],
  ['{"a":{"b":1}} and {"c":2}', [{ a: { b: 1 } }, { c: 2 }]],
  ['if (x) { return {"a":1} }', [{ a: 1 }]],
  ['{"a":"}"} tail', [{ a: "}" }]],
  ['{"a":"\\"}"}', [{ a: '"}' }]],
  ['{ never closed {"a":1}', [{ a: 1 }]],
  ['{"a":"never closed}', []],
  ["}{}", [{}]],
  [`${"{".repeat(200)}"a":1}`, [{ a: 1 }]],
])("finds the objects in %j", (text, objects) => {
  expect(objectsInTalk(text)).toEqual(objects);
});
