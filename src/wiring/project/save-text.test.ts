import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOfFile } from "./json-lines.ts";
import { readInputText, requireSavable } from "./save-text.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signoff-texts-"));
  mkdirSync(join(folder, "folder.md"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, bytes: string | Buffer): string {
  writeFileSync(join(folder, name), bytes);
  return name;
}

const utf16 = Buffer.from("A night train", "utf16le");

describe("a text that the user names", () => {
  it.each([
    ["with a byte order mark", "\uFEFFA night train", "A night train"],
    ["with the line ends of Windows", "A night\r\ntrain\r\n", "A night\ntrain\n"],
    [
      "with a tab, a form feed and a colour",
      "A\tnight\f\u001b[1mtrain",
      "A\tnight\f\u001b[1mtrain",
    ],
    ["with a character that stands for a lost one", "A nigh\uFFFD train", "A nigh\uFFFD train"],
  ])("is read %s", async (_, bytes, text) => {
    expect(await readInputText(folder, put("brief.md", bytes))).toBe(text);
  });

  it.each([
    ["that is empty", "", "brief.md holds no text."],
    ["of white space", "\uFEFF \r\n", "brief.md holds no text."],
    ["in Latin-1", Buffer.from("caf\xe9", "latin1"), "brief.md is not a text in UTF-8."],
    ["in UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), "brief.md is not a text"],
    ["in UTF-16 without a mark", utf16, "brief.md is not a text in UTF-8."],
    ["that is a document of Word", "PK\u0003\u0004\u0014", "brief.md is not a text in UTF-8."],
  ])("is refused by its name %s", async (_, bytes, message) => {
    const read = readInputText(folder, put("brief.md", bytes));
    await expect(read).rejects.toThrow(message);
    await expect(read).rejects.toMatchObject({ hint: expect.stringMatching(/^(?:Save|Write) /u) });
  });

  it.each([
    ["nowhere.md", "There is no file nowhere.md."],
    ["folder.md", "folder.md is a folder, not a text."],
  ])("is refused where it is none: %s", async (file, message) => {
    await expect(readInputText(folder, file)).rejects.toMatchObject({
      ...{ code: "file-unreadable", message, hint: "Give the path of a text file." },
    });
  });
});

describe("lines of a file", () => {
  const read = async (bytes: string | Buffer) => {
    const found = [];
    const path = join(folder, put("briefs.jsonl", bytes));
    for await (const line of linesOfFile(path, "briefs.jsonl")) found.push(line);
    return found;
  };

  it("come with their numbers, whatever system wrote them, however long they are", async () => {
    const long = "é".repeat(150_000);
    expect(await read(`\uFEFF"a"\r\n\r\n"${long}"\n"last"`)).toEqual([
      { text: '"a"', number: 1 },
      { text: `"${long}"`, number: 3 },
      { text: '"last"', number: 4 },
    ]);
  });

  it("are refused by the name of the file if they are no text", async () => {
    const refused = read(Buffer.from('"caf\xe9"\n', "latin1"));
    await expect(refused).rejects.toThrow("briefs.jsonl is not a text in UTF-8.");
  });
});

it("a file that cannot be written is refused with what to do", () => {
  expect(() => requireSavable(join(folder, "folder.md"))).toThrow("it is a folder");
  expect(() => requireSavable(join(folder, put("a.txt", "x"), "b.md"))).toThrow("is not a folder");
});
