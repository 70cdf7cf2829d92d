import { expect, it } from "vitest";
import { guessLanguage } from "./language.ts";

it("a language shows in its commonest words, and is English where none does", () => {
  expect(guessLanguage("Wir backen das Brot, und es ist nicht süß.")).toBe("de");
  expect(guessLanguage("We bake the bread, and it is not sweet.")).toBe("en");
  expect(guessLanguage("Pain, croissants, tartes.")).toBe("en");
  expect(guessLanguage("The bread und")).toBe("en");
});
