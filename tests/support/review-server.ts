import type { ServerResponse } from "node:http";
import { openLoopback, type Seen, sendJson } from "./loopback-server.ts";
import { ollamaWire } from "./provider-wires.ts";

export interface ReviewServer {
  readonly url: string;
  /** Reviews requested of the model, in the order of the calls: what is paid for. */
  readonly paid: readonly string[];
  /** The words of the next calls' results; without one a call passes. */
  say(...results: readonly string[]): void;
  /** Answers that many calls at once, with nothing that can be read. */
  spoil(calls: number): void;
  /** Answers every call from now on, including those that wait. */
  release(): void;
  /** Resolves when this many processes have planned their calls: each asks once which models there are. */
  planned(processes: number): Promise<void>;
  /** Resolves when this many calls have arrived. */
  called(calls: number): Promise<void>;
}

/** A model that passes every review unless it is set otherwise; its calls wait until they are released. */
export async function openReviewServer(): Promise<ReviewServer> {
  const waiting: (() => void)[] = [];
  const watching: (() => void)[] = [];
  const paid: string[] = [];
  const counts = { planned: 0, called: 0 };
  let isReleased = false;
  let spoilt = 0;
  const said: string[] = [];
  const answer = (seen: Seen, response: ServerResponse): void => {
    if (seen.path !== ollamaWire.askPath) {
      counts.planned += Number(seen.path === ollamaWire.listPath);
      sendJson(response, 200, ollamaWire.list(["mistral:latest"]));
      return;
    }
    const { parts, names } = answerAll(seen, said.shift() ?? "PASS");
    paid.push(...names);
    counts.called += 1;
    const isSpoilt = spoilt > 0;
    spoilt -= Number(isSpoilt);
    const send = () => ollamaWire.send(response, { parts: isSpoilt ? ["I looked."] : parts });
    if (isReleased || isSpoilt) send();
    else waiting.push(send);
  };
  const server = await openLoopback((seen, response) => {
    answer(seen, response);
    for (const look of watching) look();
  });
  const reached = (what: keyof typeof counts, count: number) =>
    new Promise<void>((resolve) => {
      const look = () => counts[what] >= count && resolve();
      watching.push(look);
      look();
    });
  return {
    url: server.url,
    paid,
    say(...results) {
      said.push(...results);
    },
    spoil(calls) {
      spoilt = calls;
    },
    release() {
      isReleased = true;
      for (const send of waiting.splice(0)) send();
    },
    planned: (processes) => reached("planned", processes),
    called: (calls) => reached("called", calls),
  };
}

function answerAll(
  { json }: Seen,
  word: string,
): { readonly parts: string[]; readonly names: string[] } {
  const { messages } = json as { readonly messages: readonly { readonly content: string }[] };
  const prompt = messages.map(({ content }) => content).join("\n");
  const blocks = prompt.matchAll(
    /^(=== (?:NOTE START|GATE REVIEW START) .*\n(?:=== GATE REVIEW START .*\n)?)…\n(## Result \w+:) …\n((?:=== .*\n?)+)/gmu,
  );
  const found = [...blocks];
  return {
    parts: found.map(([, start, result, end]) => `${start}${result} ${word}\n${end}\n`),
    names: found.map(([, start = ""]) => start),
  };
}
