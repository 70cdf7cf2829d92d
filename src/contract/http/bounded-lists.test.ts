import { describe, expect, it } from "vitest";
import { fromWire } from "../documents/snake-case.ts";
import { routes } from "./routes.ts";

const tooMany = Array.from({ length: 1_001 }, (_, at) => `text_${at}`);

describe("lists in the bodies of requests", () => {
  it.each([
    ["POST /api/v1/episodes/:episode_id/draft", "asset_ids", tooMany.slice(0, 201)],
    ["POST /api/v1/episodes/:episode_id/review", "asset_ids", tooMany.slice(0, 201)],
    ["POST /api/v1/episodes/:episode_id/review", "asset_ids", []],
    ["POST /api/v1/episodes/:episode_id/review", "asset_ids", ["slug", "title", "slug"]],
    ["POST /api/v1/pack-runs/:run_id/repeat", "scenarios", tooMany.slice(0, 1_001)],
    ["POST /api/v1/notes/plan", "note_ids", Array(10_001).fill("0123456789abcdef")],
    ["POST /api/v1/notes/plan", "gates", tooMany.slice(0, 501)],
  ] as const)("%s refuses such a %s", (route, member, list) => {
    const { body } = routes[route];
    expect(() => fromWire(body, { [member]: list })).toThrow(member);
    expect(() => fromWire(body, { [member]: [list[0] ?? "slug"] })).not.toThrow();
  });
});
