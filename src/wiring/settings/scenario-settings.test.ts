import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { clockOf } from "../project/system-clock.ts";
import { readEnvironment } from "./environment.ts";
import { assistantSettingsOf, checkRulesOf } from "./scenario-settings.ts";
import { loadProjectSettings } from "./settings.ts";

const environment = readEnvironment({ SHOP_KEY: "sk-shop-4711" });

async function settingsOf(yaml: string, trust = true) {
  const root = await mkdtemp(join(tmpdir(), "signoff-assistant-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "signoff.yaml"), `version: 1\n${yaml}`);
  const { settings, guard } = await loadProjectSettings({ root, environment, flags: {}, trust });
  const clock = clockOf(environment);
  return { root, settings, environment, guard: guard.allow, clock };
}

describe("the assistant's settings", () => {
  it("take over what the file says and leave the rest as it comes", async () => {
    const settings = await settingsOf(`scenarios:
  assistant:
    message: { path: /ask, body: { userText: "{{question}}" }, answer: { reply_type: kind } }
    session: { available: false, answer: { items: log } }
    timeout_seconds: 2.5
    retries: 0
  mask: [ { pattern: "\\\\d{16}", replace: card } ]
  garbage_markers: [traceback]
`);
    const used = assistantSettingsOf(settings, "http://shop");
    expect(used).toMatchObject({
      message: { path: "/ask", body: { userText: "{{question}}" } },
      session: { kind: "none" },
      timeoutMs: 2_500,
      retries: 0,
      maxBytes: 10 * 1024 * 1024,
    });
    expect(used.message.answer).toMatchObject({ replyType: "kind", sessionId: "session_id" });
    expect(used.session.answer).toMatchObject({ items: "log", role: "role" });
    expect(used.session.path).toBeUndefined();
    expect(used.rewrite?.("Paid with 4711471147114711.")).toBe("Paid with card.");
    expect(checkRulesOf(settings.settings).garbageMarkers).toEqual(["traceback"]);
  });

  const headers = `scenarios: { assistant: { base_url: "http://shop", headers_env: { x-key: SHOP_KEY } } }\n`;

  it("hold the header's value for the trusted address, and refuse it to any other", async () => {
    const settings = await settingsOf(headers);
    const { secretHeaders } = assistantSettingsOf(settings, "http://shop");
    expect(secretHeaders).toEqual({ "x-key": "sk-shop-4711" });
    expect(() => assistantSettingsOf(settings, "http://remembered")).toThrow(
      expect.objectContaining({ code: "trust-needed" }),
    );
  });

  it("name what has to be trusted, and a variable that is not set", async () => {
    const untrusted = await settingsOf(headers, false);
    expect(() => assistantSettingsOf(untrusted, "http://shop")).toThrow(/SHOP_KEY/);
    const trusted = await settingsOf(headers);
    expect(() =>
      assistantSettingsOf({ ...trusted, environment: readEnvironment({}) }, "http://shop"),
    ).toThrow(expect.objectContaining({ code: "variable-missing" }));
  });

  it("refuse an address with a password in it without repeating it", async () => {
    const settings = await settingsOf("");
    expect(() => assistantSettingsOf(settings, "http://ann:sk-4711@shop/x")).toThrow(
      expect.objectContaining({
        code: "address-with-password",
        message:
          "The assistant's address http://[redacted]@shop/x contains a user name or password.",
      }),
    );
  });

  it("refuse a mask that cannot be run, with its line", async () => {
    const yaml = "scenarios:\n  mask:\n    - { pattern: '(a', replace: x }\n";
    await expect(settingsOf(yaml)).rejects.toThrow(
      /scenarios\.mask\.0\.pattern \(signoff\.yaml:4\)/,
    );
  });
});
