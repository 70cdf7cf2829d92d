import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { preparedFolder } from "../../tests/support/prepared-folder.ts";
import { newProjectFolder, studioWithoutSocket } from "../../tests/support/studio.ts";
import { makeNotes } from "../../tests/support/studio-episode.ts";

const story = preparedFolder(makeNotes);

async function studioWithNotes() {
  const root = newProjectFolder();
  story.copyTo(root);
  const studio = await studioWithoutSocket(root);
  const ask = async (part: string, accepted: string) => {
    const headers = { "accept-encoding": accepted };
    const response = await studio.ask("GET", `/api/v1/notes/${part}`, undefined, headers);
    expect(response.status).toBe(200);
    return {
      encoding: response.headers.get("content-encoding"),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  return { root, ask };
}

it.each(["matrix", "work", "staleness"])("sends the same packed %s again", async (part) => {
  const { ask } = await studioWithNotes();
  const first = await ask(part, "br, gzip");
  expect(first.encoding).toBe("gzip");
  expect((await ask(part, "gzip")).bytes).toEqual(first.bytes);
  const plain = await ask(part, "gzip;q=0, identity");
  expect(plain.encoding).toBeNull();
  expect(plain.bytes).toEqual(gunzipSync(first.bytes));
});

it("answers anew once there is another note", async () => {
  const { root, ask } = await studioWithNotes();
  const before = await ask("matrix", "gzip");
  writeFileSync(join(root, "notes", "rye.md"), "# Rye\n\nRye bread keeps for a week.\n");
  const isAnswered = async () =>
    expect(String(gunzipSync((await ask("matrix", "gzip")).bytes))).toContain("notes/rye.md");
  await vi.waitFor(isAnswered, 20_000);
  expect(String(gunzipSync(before.bytes))).not.toContain("notes/rye.md");
});
