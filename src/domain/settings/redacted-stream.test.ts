import { expect, it } from "vitest";
import { createRedactor, isSecret, passwordsIn, withoutCredentials } from "./redactor.ts";

function streamed(secrets: readonly string[], ...parts: readonly string[]): readonly string[] {
  const emitted: string[] = [];
  const stream = createRedactor(secrets).stream((part) => emitted.push(part));
  for (const part of parts) stream.write(part);
  stream.end();
  return emitted;
}

it.each([
  ["whole", ["key secret-1 end"], ["key [redacted] end"]],
  ["divided", ["key sec", "ret", "-1 end"], ["key ", "[redacted] end"]],
  ["twice", ["secret-1secret-1"], ["[redacted][redacted]"]],
  ["begun and not continued", ["key sec", "ond"], ["key ", "second"]],
  ["begun at the end", ["key secr"], ["key ", "secr"]],
  ["nearly whole at the end", ["key secret"], ["key ", "[redacted]"]],
  ["absent", ["a", "", "b"], ["a", "b"]],
])("a secret in a stream is taken out: %s", (_, parts, emitted) => {
  expect(streamed(["secret-1"], ...parts)).toEqual(emitted);
});

it("takes out a secret that begins with another or holds it, wherever it is divided", () => {
  expect(streamed(["secret-1", "secret-1-long"], "secret-1", "-long!")).toEqual(["[redacted]!"]);
  expect(streamed(["secret-1", "secret-1-long"], "secret-1", "-lo?")).toEqual(["[redacted]-lo?"]);
  expect(streamed(["secret-1", "a-secret-1-b"], "a-secret-1", "-b!")).toEqual(["[redacted]!"]);
});

it("keeps a secret whole whose end may begin another", () => {
  expect(streamed(["secret-1", "1-other"], "secret-1", "!")).toEqual(["[redacted]!"]);
  expect(streamed(["secret-1", "1-other"], "secret-1")).toEqual(["[redacted]"]);
});

it("passes a stream on where there is no secret", () => {
  expect(streamed([], "a", "b")).toEqual(["a", "b"]);
  expect(streamed(["short", "ollama"], "short ollama")).toEqual(["short ollama"]);
});

it("knows a secret in JSON, in an address and in names of members", () => {
  const { text, json } = createRedactor(['se"cret-é', "  padded  "]);
  expect(text(JSON.stringify('se"cret-é'))).toBe('"[redacted]"');
  expect(text(`?a=${encodeURIComponent('se"cret-é')}`)).toBe("?a=[redacted]");
  expect(text("<padded>")).toBe("<[redacted]>");
  expect(json({ 'se"cret-é': [1, null, true, "x  padded  y"] })).toEqual({
    "[redacted]": [1, null, true, "x[redacted]y"],
  });
});

it.each([
  ["12345", false],
  ["123456", true],
  ["not-needed", false],
  ["lm-studio", false],
])("%j is a secret: %s", (value, expected) => {
  expect(isSecret(value)).toBe(expected);
});

it.each([
  ["postgres://ada:p%40ss@host/db", ["p%40ss", "p@ss"], "postgres://[redacted]@host/db"],
  ["postgres://ada:p%ss@host/db", ["p%ss"], "postgres://[redacted]@host/db"],
  ["postgres://ada:@host/db", [], "postgres://[redacted]@host/db"],
  ["postgres://ada@host/db", [], "postgres://[redacted]@host/db"],
  ["postgres://host/a:b@c", [], "postgres://host/a:b@c"],
  ["ada:pass@host", [], "ada:pass@host"],
])("the password of %j", (url, passwords, shown) => {
  expect(passwordsIn(url)).toEqual(passwords);
  expect(withoutCredentials(url)).toBe(shown);
});
