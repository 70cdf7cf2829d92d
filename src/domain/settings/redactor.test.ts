import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, passwordsIn, withoutCredentials } from "./redactor.ts";

const key = 'sk-shop-"4711"/+=';

describe("createRedactor", () => {
  const redactor = createRedactor([key, "lab-token-0815", "EMPTY", "ollama", ""]);

  it("takes a secret out of text, of JSON inside text and of an address", () => {
    const texts = [key, JSON.stringify({ key }), `https://lab/?k=${encodeURIComponent(key)}`];
    for (const text of texts) {
      expect(redactor.text(`refused: ${text}.`)).not.toMatch(/4711/);
    }
    expect(redactor.text("Bearer lab-token-0815!")).toBe("Bearer [redacted]!");
  });

  it("takes it out of JSON at any depth, names included", () => {
    const value = { headers: [{ "lab-token-0815": "x", authorization: `Bearer ${key}` }], n: 3 };
    expect(redactor.json(value)).toEqual({
      headers: [{ "[redacted]": "x", authorization: "Bearer [redacted]" }],
      n: 3,
    });
  });

  it("leaves words alone that local servers take in place of a key", () => {
    expect(redactor.text("EMPTY shelves, ollama/mistral")).toBe("EMPTY shelves, ollama/mistral");
  });

  it("leaves a text alone that merely contains a very short key", () => {
    expect(createRedactor(["a", "key", "1234"]).text("a monkey paid 1234")).toBe(
      "a monkey paid 1234",
    );
  });

  it("takes the longer of two secrets that overlap", () => {
    const two = createRedactor(["shop-key", "shop-key-of-anna"]);
    expect(two.text("shop-key-of-anna")).toBe("[redacted]");
  });

  it("leaves no secret behind, wherever it stands", () => {
    const secret = fc.string({ unit: fc.constantFrom(...'AB0/+=-"\\'), minLength: 6 });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const one = createRedactor([value]);
        expect(one.text(before + value + after)).not.toContain(value);
        expect(one.text(JSON.stringify([before, value, after]))).not.toContain(value);
        expect(one.json({ note: [value] })).toEqual({ note: ["[redacted]"] });
      }),
    );
  });
});

describe("addresses", () => {
  it("lose user and password when shown, and give the password to be redacted", () => {
    const address = "http://anna:p%40ss-word@lab:8000/v1?q=a@b";
    expect(withoutCredentials(address)).toBe("http://[redacted]@lab:8000/v1?q=a@b");
    expect(passwordsIn(address)).toEqual(["p%40ss-word", "p@ss-word"]);
    expect(passwordsIn("http://lab:8000/v1")).toEqual([]);
    expect(withoutCredentials("http://lab:8000/a@b")).toBe("http://lab:8000/a@b");
  });
});
