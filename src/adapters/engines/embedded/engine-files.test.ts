import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  engineOn,
  fourPages,
  job,
  open,
  replyNow,
  request,
  write,
} from "../../../../tests/support/letter-engine.ts";
import { key } from "../../../domain/values/ids.ts";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Flow, FlowContext } from "../../../ports/flow.ts";
import type { StoredEvent } from "../../../ports/journal.ts";
import type { Happening } from "../../../ports/observer.ts";
import type { AskRequest, Runner } from "../../../ports/runner.ts";
import { openMemoryStore } from "../../persistence/sqlite/open-store.ts";

describe("EmbeddedEngine and the files of its runs", () => {
  const _flows = new Map([["letter", write]]);

  it("ends a run whose files cannot be written as failed, and writes them when it is resumed", async () => {
    const { runs: store } = openMemoryStore();
    let full = true;
    const written: string[] = [];
    const projectors = [
      {
        kinds: ["letter-written"],
        apply: async () => {
          if (full) throw new Error("disk full");
          written.push("letter");
        },
      },
    ];
    const flow: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      ctx.emit({ kind: "letter-written", data: text });
      return text;
    };
    const runner: Runner = { attempt: async () => replyNow() };
    const engine = engineOn({ store, flows: new Map([["letter", flow]]), runner, projectors });
    const run = await engine.submit(job);
    expect(await engine.ending(run, open)).toMatchObject({ kind: "failed" });
    full = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect(written).toEqual(["letter"]);
  });

  it("makes calls while files are written, waits if they are two pages behind, and ends when all are written", async () => {
    const { runs: store } = openMemoryStore();
    const seen: string[] = [];
    let finishFiles: () => void = () => undefined;
    const filesDone = new Promise<void>((resolve) => {
      finishFiles = resolve;
    });
    const projectors = [
      {
        kinds: ["page-written"],
        apply: async (events: readonly StoredEvent[]) => {
          const [{ data } = { data: "none" }] = events;
          await filesDone;
          // Longer than a call needs to begin, if it did not wait.
          for (let round = 0; round < 50; round += 1) await nextRound();
          seen.push(`wrote page ${data}`);
        },
      },
    ];
    const runner: Runner = {
      attempt: async ({ user }) => {
        seen.push(`asked for ${user}`);
        if (user === "page 3") finishFiles();
        return replyNow();
      },
    };
    const engine = engineOn({
      store,
      flows: new Map([["letter", fourPages]]),
      runner,
      projectors,
      sleep: async () => undefined,
    });
    const run = await engine.submit(job);
    await engine.ending(run, open);
    expect(seen).toEqual([
      "asked for page 1",
      "asked for page 2",
      "asked for page 3",
      "wrote page 1",
      "asked for page 4",
      "wrote page 2",
      "wrote page 3",
      "wrote page 4",
    ]);
    expect(await store.load(run)).toMatchObject({ projectedSeq: 4 });
  });

  it("keeps a reply that came while files could not be written, and asks nothing after it", async () => {
    const { runs: store } = openMemoryStore();
    const projectors = [
      {
        kinds: ["page-written"],
        apply: async () => {
          throw new Error("disk full");
        },
      },
    ];
    const asked: string[] = [];
    const runner: Runner = {
      attempt: async ({ user }) => {
        asked.push(user);
        return replyNow();
      },
    };
    const engine = engineOn({
      store,
      flows: new Map([["letter", fourPages]]),
      runner,
      projectors,
    });
    const run = await engine.submit(job);
    const ending = await engine.ending(run, open);
    expect(ending).toMatchObject({ kind: "failed", error: { message: "disk full" } });
    expect(asked).toEqual(["page 1", "page 2"]);
    expect(await store.find(run, key("page", 2))).toMatchObject({ value: { text: "Yours" } });
    expect(await store.load(run)).toMatchObject({ projectedSeq: 0 });
  });

  it("does not encode again what a replay emits and the store has", async () => {
    const { runs: store } = openMemoryStore();
    let encoded = 0;
    const flow: Flow = async (ctx) => {
      await ctx.ask(key("first"), request);
      ctx.emit({
        kind: "letter-written",
        get data() {
          encoded += 1;
          return "Dear customer";
        },
      });
      // Its files are noted with the start after the next one.
      await ctx.ask(key("second"), request);
      return (await ctx.ask(key("third"), { ...request, user: "Yours" })).text;
    };
    let isDown = true;
    const attempt = async ({ user }: AskRequest) => {
      if (isDown && user === "Yours") throw new WorkflowError("Down.", { code: "down" });
      return replyNow();
    };
    const heard: string[] = [];
    const notice = (happening: Happening) => {
      if (happening.kind === "event") heard.push(happening.event.kind);
    };
    const flows = new Map([["letter", flow]]);
    const projectors = [{ kinds: ["letter-written"], apply: async () => undefined }];
    const engine = engineOn({ store, flows, runner: { attempt }, projectors, notice });
    const run = await engine.submit(job);
    expect(await engine.ending(run, open)).toMatchObject({ kind: "failed" });
    isDown = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect({ encoded, heard }).toEqual({ encoded: 1, heard: ["letter-written", "letter-written"] });
  });

  it("encodes what is stored but has no files yet for those alone", async () => {
    const { runs: store } = openMemoryStore();
    const encoded: string[] = [];
    const tell = (ctx: FlowContext, kind: string) =>
      ctx.emit({
        kind,
        get data() {
          encoded.push(kind);
          return "Dear customer";
        },
      });
    const flow: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      tell(ctx, "letter-written");
      tell(ctx, "letter-counted");
      return text;
    };
    let isFull = true;
    const written: Json[] = [];
    const apply = async (events: readonly StoredEvent[]) => {
      if (isFull) throw new Error("disk full");
      written.push(...events.map(({ data }) => data));
    };
    const projectors = [{ kinds: ["letter-written"], apply }];
    const runner: Runner = { attempt: async () => replyNow() };
    const engine = engineOn({ store, flows: new Map([["letter", flow]]), runner, projectors });
    const run = await engine.submit(job);
    await engine.ending(run, open);
    expect(encoded.splice(0)).toEqual(["letter-written", "letter-counted"]);
    isFull = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect({ encoded, written }).toEqual({
      encoded: ["letter-written"],
      written: ["Dear customer"],
    });
  });
});
