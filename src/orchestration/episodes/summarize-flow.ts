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
import { defined } from "../../domain/values/defined.ts";
import { digest } from "../../domain/values/digest.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Ask, Flow, FlowContext } from "../../ports/flow.ts";
import type { Reply } from "../../ports/runner.ts";
import { renderSummaryPrompt, summaryFormat } from "../../protocol/episodes/summary-prompt.ts";
import {
  type ReadSummary,
  readChunkSummary,
  readEpisodeSummary,
} from "../../protocol/episodes/summary-reply.ts";
import type { SummaryPart, SummaryTask } from "../../protocol/episodes/summary-task.ts";
import { runProvenance } from "../drafting/read-replies.ts";
import { askReadable, unusableReplies } from "../runs/ask-readable.ts";
import { promptRef } from "./prompt-provenance.ts";
import { sha256Digest } from "./sha256.ts";

/** The number of chunks asked for at once; their summaries are written before the next calls. */
const wave = 8;

/** More parts than this are first summed up in groups, and the groups again, until one summary is left. */
const partsPerSummary = 12;

/** Map and reduce: each chunk separately, then the whole from the parts. Every call is recorded separately. */
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
            digest: digest(knownSha256 ?? sha256Digest(renderChunkSummary(one))),
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
      task: { kind: "summarize-chunk", chunkId, ...aboutOf(job), text } as const,
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

function aboutOf({ language, hosts }: SummaryJob) {
  return { language, ...defined({ hosts }) };
}

function wholeTask(job: SummaryJob, parts: readonly SummaryPart[]): SummaryTask {
  const { speakers } = job;
  const bare = parts.map((part) => {
    const { summaryMarkdown, bullets, entities, links } = part;
    return { summaryMarkdown, bullets, entities, links };
  });
  return { kind: "summarize-episode", ...aboutOf(job), speakers, parts: bare };
}

interface SummaryAsk extends Ask {
  readonly task: SummaryTask;
}

interface Said<Value> {
  readonly ask: Ask;
  readonly reply: Reply;
  readonly value: Value;
}

/** Asks for all of them; if one stays unreadable, the run has failed. */
async function askSummaries<Value>(
  asking: Asking,
  wanted: readonly { readonly at: Key; readonly task: SummaryTask }[],
  read: (text: string) => ReadSummary<Value>,
): Promise<readonly Said<Value>[]> {
  const first = wanted.map(({ at, task }) => askFor(asking, at, task));
  const answers = await askReadable<SummaryAsk, Value>(asking.ctx, first, {
    read: (_, reply) => {
      const found = read(reply.text);
      return found.kind === "read"
        ? { kind: "readable", value: found.value }
        : { kind: "unreadable", problems: [found.error] };
    },
    repair: ({ key: at, task }, { problems, text }) =>
      askFor(asking, key(at, "repair", 1), {
        ...task,
        repair: { error: problems.join("; "), text },
      }),
  });
  return answers.map((one, at) => {
    if (one.kind === "readable") return one;
    throw unusableReplies(`The summary ${wanted[at]?.at}`, answers);
  });
}

function askFor({ job, ordinal }: Asking, at: Key, task: SummaryTask): SummaryAsk {
  const number = ordinal.next;
  ordinal.next += 1;
  return {
    key: at,
    task,
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
