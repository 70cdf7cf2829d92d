import { expect, test } from "vitest";
import type { Json } from "../../domain/values/json.ts";
import { jsonText } from "./json-text.ts";

test("names are sorted at every depth, and the order of lists is kept", () => {
  const shop = { stock: [{ size: 2, name: "flask" }, null, "crème"], city: "Kraków", open: true };
  expect(jsonText(shop)).toBe(`{
  "city": "Kraków",
  "open": true,
  "stock": [
    {
      "name": "flask",
      "size": 2
    },
    null,
    "crème"
  ]
}
`);
});

test("a name that means something to JavaScript is data like any other", () => {
  const hostile = JSON.parse('{"b":1,"__proto__":{"z":1,"a":[]},"constructor":{}}') as Json;
  expect(jsonText(hostile)).toBe(`{
  "__proto__": {
    "a": [],
    "z": 1
  },
  "b": 1,
  "constructor": {}
}
`);
});
