import {
  type ChunkToSummarize,
  decodeSummaryJob,
  encodeChunkSummary,
  encodeEpisodeSummary,
  type SummaryJob,
} from "../../contract/episodes/episode-jobs.ts";
import { renderChunkSummary } from "../../contract/episodes/summary-files.ts";
import { derivedFrom } from "../../domain/episodes/derived-files.ts";
import { layout } from "../../domain/episodes/layout.ts";
import type { ChunkSummary } from "../../domain/episodes/transcript-chunk.ts";
import { digest } from "../../domain/values/digest.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError, AskFailed } from "../../domain/values/workflow-error.ts";
import type { Ask, Flow, FlowContext } from "../../ports/flow.ts";
import type { Reply, StoredError } from "../../ports/runner.ts";
import { renderSummaryPrompt, summaryFormat } from "../../protocol/episodes/summary-prompt.ts";
import {
  type ReadSummary,
  readChunkSummary,
  readEpisodeSummary,
} from "../../protocol/episodes/summary-reply.ts";
import type { SummaryPart, SummaryTask } from "../../protocol/episodes/summary-task.ts";
import { runProvenance } from "../drafting/read-replies.ts";
import { promptRef } from "./prompt-provenance.ts";
import { sha256 } from "./sha256.ts";

/** So many chunks are asked for at once; their summaries are written before the next ones are. */
const wave = 8;

/** More parts than this are first summed up in groups, and the groups again, until one summary is left. */
export const partsPerSummary = 12;

/** Map and reduce: each chunk by itself, then the whole out of the parts. Every call is recorded by itself. */
export const summarizeFlow: Flow = async (ctx, json) => {
  const job = decodeSummaryJob(json);
  const asking: Asking = { ctx, job, ordinal: { next: 0 } };
  const summaries = new Map(
    job.chunks.flatMap((chunk) =>
      chunk.known === undefined ? [] : [[chunk.chunkId, chunk.known]],
    ),
  );
  const open = job.chunks.filter(({ known }) => known === undefined);
  for (let from = 0; from < open.length; from += wave) {
    for (const made of await summarizeChunks(asking, open.slice(from, from + wave))) {
      ctx.emit({ kind: "chunk-summarized", data: encodeChunkSummary(made) });
      summaries.set(made.chunkId, made);
    }
  }
  const inOrder = job.chunks.flatMap(({ chunkId }) => summaries.get(chunkId) ?? []);
  const parts = await reduce(asking, inOrder);
  const [whole] = await askSummaries(
    asking,
    [{ at: key("episode"), task: wholeTask(job, parts) }],
    readEpisodeSummary,
  );
  if (whole === undefined) throw new AgentError("Nothing was said.", { code: "reply-unusable" });
  ctx.emit({
    kind: "episode-summarized",
    data: encodeEpisodeSummary({
      ...whole.value,
      createdAt: whole.reply.finishedAt,
      provenance: [
        runProvenance(ctx, whole.reply, "summarizer"),
        promptRef(whole.ask),
        ...inOrder.map((one) => {
          const { knownSha256 } = job.chunks.find(({ chunkId }) => chunkId === one.chunkId) ?? {};
          return derivedFrom({
            path: layout.chunkSummary(one.chunkId),
            digest: digest(knownSha256 ?? sha256(renderChunkSummary(one))),
          });
        }),
      ],
    }),
  });
  return { chunks: inOrder.length };
};

interface Asking {
  readonly ctx: FlowContext;
  readonly job: SummaryJob;
  readonly ordinal: { next: number };
}

async function summarizeChunks(
  asking: Asking,
  chunks: readonly ChunkToSummarize[],
): Promise<readonly ChunkSummary[]> {
  const { ctx, job } = asking;
  const asked = await askSummaries(
    asking,
    chunks.map(({ chunkId, text }) => ({
      at: key("chunk", chunkId),
      task: { kind: "summarize-chunk", chunkId, language: job.language, text } as const,
    })),
    readChunkSummary,
  );
  return asked.map(({ ask, reply, value }, at) => {
    const { chunkId, path, sha256: sum } = chunks[at] as ChunkToSummarize;
    return {
      chunkId,
      ...value,
      createdAt: reply.finishedAt,
      provenance: [
        runProvenance(ctx, reply, "summarizer"),
        promptRef(ask),
        derivedFrom({ path, digest: digest(sum) }),
      ],
    };
  });
}

/** Groups of parts become parts themselves, stage by stage, until one call can hold them all. */
async function reduce(
  asking: Asking,
  parts: readonly SummaryPart[],
  stage = 1,
): Promise<readonly SummaryPart[]> {
  if (parts.length <= partsPerSummary) return parts;
  const groups: (readonly SummaryPart[])[] = [];
  for (let from = 0; from < parts.length; from += partsPerSummary) {
    groups.push(parts.slice(from, from + partsPerSummary));
  }
  const made = await askSummaries(
    asking,
    groups.map((group, at) => ({
      at: key("stage", stage, "group", at + 1),
      task: wholeTask(asking.job, group),
    })),
    readEpisodeSummary,
  );
  const next = made.map(({ value }) => ({
    summaryMarkdown: value.summaryMarkdown,
    bullets: value.keyPoints,
    entities: value.topics,
    links: value.links,
  }));
  return reduce(asking, next, stage + 1);
}

function wholeTask({ language, speakers }: SummaryJob, parts: readonly SummaryPart[]): SummaryTask {
  const bare = parts.map(({ summaryMarkdown, bullets, entities, links }) => ({
    summaryMarkdown,
    bullets,
    entities,
    links,
  }));
  return { kind: "summarize-episode", language, speakers, parts: bare };
}

interface Said<Value> {
  readonly ask: Ask;
  readonly reply: Reply;
  readonly value: Value;
}

/** Asks for all of them; what cannot be read is asked for once more, and then the run has failed. */
async function askSummaries<Value>(
  asking: Asking,
  wanted: readonly { readonly at: Key; readonly task: SummaryTask }[],
  read: (text: string) => ReadSummary<Value>,
): Promise<readonly Said<Value>[]> {
  const { ctx } = asking;
  const first = wanted.map(({ at, task }) => requestOf(asking, at, task));
  const endings = await ctx.askAll(first);
  const said: Said<Value>[] = [];
  for (const [index, ending] of endings.entries()) {
    const { at, task } = wanted[index] as (typeof wanted)[0];
    if (ending.kind === "failed") throw failedAsk(ending.error);
    const found = readReply(ending.reply, read);
    const ask = first[index] as Ask;
    said.push(
      found.kind === "read"
        ? { ask, reply: ending.reply, value: found.value }
        : await askAgain(asking, { at, task, ask, reply: ending.reply, error: found.error }, read),
    );
  }
  return said;
}

async function askAgain<Value>(
  asking: Asking,
  failed: {
    readonly at: Key;
    readonly task: SummaryTask;
    readonly ask: Ask;
    readonly reply: Reply;
    readonly error: string;
  },
  read: (text: string) => ReadSummary<Value>,
): Promise<Said<Value>> {
  const repair = { error: failed.error, text: failed.reply.text };
  const ask = requestOf(asking, key(failed.at, "repair", 1), { ...failed.task, repair });
  const reply = await asking.ctx.ask(ask.key, ask.request);
  const found = readReply(reply, read);
  if (found.kind === "read") return { ask, reply, value: found.value };
  throw new AgentError(
    `The summary ${failed.at} could not be used, also not when asked again: ${found.error}.`,
    {
      code: "reply-unusable",
      facts: { error: found.error, unusable: [failed.ask.key, ask.key] },
      hint: "Type the command again to ask once more, or choose another model.",
    },
  );
}

function failedAsk({ message, code, retryable }: StoredError): AskFailed {
  return new AskFailed(message, { code, retryable });
}

function readReply<Value>(
  reply: Reply,
  read: (text: string) => ReadSummary<Value>,
): ReadSummary<Value> {
  return reply.finish === "cut"
    ? { kind: "unclear", error: "the reply was cut off" }
    : read(reply.text);
}

function requestOf({ job, ordinal }: Asking, at: Key, task: SummaryTask): Ask {
  const number = ordinal.next;
  ordinal.next += 1;
  return {
    key: at,
    request: {
      role: "summarizer",
      model: job.model,
      ...renderSummaryPrompt(task),
      settings: { temperature: 0.3, max_tokens: 2000 },
      formatVersion: summaryFormat,
      task: task as unknown as Json,
      ordinal: number,
    },
  };
}
