import fc from "fast-check";
import { expect, test } from "vitest";
import { MASK, maskJson, maskText, secretsIn } from "./masking.ts";

const rules = { secrets: ["sk-shop", 'sk-shop"42/ü'] };

test("a secret is hidden as it is, JSON-escaped and percent-encoded, in names too", () => {
  const echoed = {
    note: 'key sk-shop"42/ü was used',
    inner: JSON.stringify({ key: 'sk-shop"42/ü' }),
    url: `http://shop/?k=${encodeURIComponent('sk-shop"42/ü')}`,
    'sk-shop"42/ü': true,
  };
  const masked = JSON.stringify(maskJson(echoed, rules));
  expect(masked).not.toMatch(/sk-shop|42\/|42%2F/);
});

test.each([
  "apiKey",
  "api_key",
  "Authorization",
  "x-api-key",
  "password",
  "llmApiKey",
  "accessToken",
  "set-cookie",
  "APIKEY",
  "authToken",
  "X-Auth-Token",
  "id_token",
  "private_key",
  "secretKey",
  "aws_secret_access_key",
])("whatever stands under %s is hidden", (name) => {
  expect(
    maskJson({ debug: { [name]: "unknown value", [`${name}_note`]: "kept" } }, { secrets: [] }),
  ).toEqual({
    debug: { [name]: MASK, [`${name}_note`]: "kept" },
  });
});

test("counters named like tokens are kept", () => {
  expect(
    maskJson({ tokens: 12, maxOutputTokens: 900, key: "stock", monkey: "x" }, { secrets: [] }),
  ).toEqual({
    tokens: 12,
    maxOutputTokens: 900,
    key: "stock",
    monkey: "x",
  });
});

test("keys inside a request are found by the names they stand under", () => {
  const body = { llm: [{ apiKey: "sk-body-1", model: "m" }], question: "Stock?", password: "pw-2" };
  expect(secretsIn(body)).toEqual(["sk-body-1", "pw-2"]);
});

test("a project's own rule sees every text", () => {
  expect(
    maskText("call 0171 22", { secrets: [], rewrite: (text) => text.replace(/\d+/g, "#") }),
  ).toBe("call # #");
});

test("no secret of at least four characters survives anywhere", () => {
  const secret = fc.string({ minLength: 4, maxLength: 12 }).filter((one) => !MASK.includes(one));
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (one, before, after) => {
      fc.pre(![before, after].some((text) => text.includes(one)));
      const masked = maskText(`${before}${one}${after}`, { secrets: [one] });
      expect(masked.split(MASK).some((part) => part.includes(one))).toBe(false);
    }),
  );
});

test("what needs no mask is given back as it is, and the rest around a secret is kept", () => {
  const answer = { rows: [{ item: "desk" }, [1, "two"]], note: "" };
  expect(maskJson(answer, rules)).toBe(answer);
  expect(maskJson([answer, "sk-shop"], rules)).toEqual([answer, MASK]);
  expect(maskJson({ password: "", token: null, secret: 7 }, rules)).toEqual({
    ...{ password: "", token: null, secret: MASK },
  });
});
