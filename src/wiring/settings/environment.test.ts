import { describe, expect, it } from "vitest";
import { readEnvironment } from "./environment.ts";

describe("readEnvironment", () => {
  it("takes a copy, so later changes of the process reach no invocation", () => {
    const env: NodeJS.ProcessEnv = { OLLAMA_MAX_TURNS: "3", LAB_KEY: "lab-token-0815" };
    const environment = readEnvironment(env);
    env.OLLAMA_MAX_TURNS = "9";
    env.LAB_KEY = "other";
    expect(environment.variables).toEqual({ OLLAMA_MAX_TURNS: "3" });
    expect(environment.secret("LAB_KEY")).toBe("lab-token-0815");
    expect(environment.secret("constructor")).toBeUndefined();
  });

  it("keeps the user's own files out of the project", () => {
    const folder = (env: NodeJS.ProcessEnv) => readEnvironment(env).userFolder;
    expect(folder({ HOME: "/home/anna" })).toBe("/home/anna/.config/signoff");
    expect(folder({ HOME: "/home/anna", XDG_CONFIG_HOME: "/cfg" })).toBe("/cfg/signoff");
    expect(folder({ HOME: "/home/anna", XDG_CONFIG_HOME: "cfg" })).toBe(
      "/home/anna/.config/signoff",
    );
    expect(folder({ HOME: "relative" })).toBeUndefined();
  });

  it("reads proxies in both spellings", () => {
    expect(
      readEnvironment({ HTTPS_PROXY: "http://p:1", no_proxy: "lab", NO_PROXY: "x" }).proxy,
    ).toEqual({
      httpsProxy: "http://p:1",
      noProxy: "lab",
    });
  });
});
