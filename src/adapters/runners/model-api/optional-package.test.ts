import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hostedProviders } from "../../../domain/models/hosted-providers.ts";
import { installCommand, loadPackage } from "./optional-package.ts";

describe("loadPackage", () => {
  it("names the package that is missing and one command that installs it", async () => {
    const missing = () => import("@ai-sdk/not-there" as string);
    await expect(loadPackage("@ai-sdk/not-there@1.2.3", missing)).rejects.toMatchObject({
      code: "package-missing",
      message: "The package @ai-sdk/not-there is not installed.",
      hint: expect.stringContaining("npm install @ai-sdk/not-there@1.2.3"),
    });
  });

  it("passes on what the package itself throws", async () => {
    const broken = () => Promise.reject(new Error("The package is broken."));
    await expect(loadPackage("x@1", broken)).rejects.toThrow("The package is broken.");
  });
});

describe("installCommand", () => {
  const spec = "@ai-sdk/google@4.0.118";

  it.each([
    ["/usr/lib/node_modules/signoff/dist/bin/chunks/a.js", `npm install --global ${spec}`],
    [
      "/home/anna/shop/node_modules/signoff/dist/bin/a.js",
      `npm install --prefix /home/anna/shop ${spec}`,
    ],
    [
      "/home/anna/my shop/node_modules/signoff/dist/bin/a.js",
      `npm install --prefix "/home/anna/my shop" ${spec}`,
    ],
    ["/home/anna/signoff/dist/bin/a.js", `npm install ${spec}`],
  ])("puts the package where %s finds it", (here, command) => {
    expect(installCommand(spec, here)).toBe(command);
  });
});

describe("the packages of providers", () => {
  it("are the optional peers of this version", () => {
    const own = JSON.parse(readFileSync("package.json", "utf8")) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const named = Object.values(hostedProviders).flatMap((facts) => facts.package ?? []);
    const peers = Object.entries(own.peerDependencies).map(
      ([name, range]) => `${name}@${range.replace("^", "")}`,
    );
    expect(named.sort()).toEqual(peers.sort());
  });
});
