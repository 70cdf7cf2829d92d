import { describe, expect, it } from "vitest";
import { newProjectFolder, studioWithoutSocket } from "../../tests/support/studio.ts";

describe("the slogan service of the original", () => {
  it("waits for the slogan and signs it with the request's own id", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const body = { input: "smart watches", verbose: true, tone: "ignored" };
    const response = await studio.ask("POST", "/api/v1/slogans/generate", body, {
      "x-request-id": "trace-7",
    });
    expect(response.status).toBe(200);
    const answer = await response.json();
    expect(answer).toMatchObject({
      input: "smart watches",
      completion_reason: "approved",
      request_id: "trace-7",
    });
    expect(response.headers.get("x-request-id")).toBe("trace-7");
    expect(answer.turns).toHaveLength(answer.turn_count);
    const quiet = await studio.ask("POST", "/api/v1/slogans/generate", { input: "smart watches" });
    expect((await quiet.json()).turns).toBeNull();
  });

  it.each([
    [{ input: "" }, 422],
    [{ input: "   " }, 400],
    [{}, 422],
    [{ input: "w".repeat(501) }, 422],
    [{ input: "watches", max_turns: 11 }, 422],
    [{ input: "watches", model: "offline/oracle" }, 400],
  ])("answers %j with %i", async (body, status) => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const response = await studio.ask("POST", "/api/v1/slogans/generate", body);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty("request_id");
  });

  it("turns the eleventh request at once away and says when to come back", async () => {
    const studio = await studioWithoutSocket(newProjectFolder());
    const asked = Array.from({ length: 11 }, (_, at) =>
      studio.ask("POST", "/api/v1/slogans/generate", { input: `watch number ${at}` }),
    );
    const answers = await Promise.all(asked);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("10");
  });
});
