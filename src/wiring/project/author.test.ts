import { describe, expect, it } from "vitest";
import { type IdentitySources, resolveIdentity } from "./author.ts";

function sources(given: Partial<IdentitySources> = {}): IdentitySources {
  return { readGit: async () => undefined, loginName: () => "anna", ...given };
}

const git: IdentitySources["readGit"] = async (name) =>
  name === "user.name" ? "Anna Berg" : "anna@shop.example";

describe("resolveIdentity", () => {
  it("takes the flag, else the variable, else git, else the login, and says which", async () => {
    const all = sources({ by: "Editor", user: "Anna", readGit: git });
    expect(await resolveIdentity(all)).toEqual({ by: "Editor", knownHow: "flag" });
    expect(await resolveIdentity(sources({ user: "Anna", readGit: git }))).toEqual({
      by: "Anna",
      knownHow: "environment",
    });
    expect(await resolveIdentity(sources({ readGit: git }))).toEqual({
      by: "Anna Berg <anna@shop.example>",
      knownHow: "git",
    });
    expect(await resolveIdentity(sources())).toEqual({ by: "anna", knownHow: "login" });
  });

  it("refuses names that could forge a second line or hide on a screen", async () => {
    for (const by of ["", "  ", "Anna\nsigned: Boss", "Anna\u202e", "A".repeat(201)]) {
      await expect(resolveIdentity(sources({ by }))).rejects.toMatchObject({
        code: "identity-invalid",
      });
    }
  });

  it("asks for a name if none is known", async () => {
    const unknown = sources({ loginName: () => undefined });
    await expect(resolveIdentity(unknown)).rejects.toMatchObject({ code: "identity-unknown" });
  });
});
