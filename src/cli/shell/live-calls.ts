import type { Happening } from "../../ports/observer.ts";
import type { StoredError } from "../../ports/runner.ts";
import { turnHeading, type Verbosity } from "../draft/draft-turn.ts";
import { renderCount, renderDuration } from "./amounts.ts";
import { cutToWidth } from "./display-width.ts";
import { type Line, layOut } from "./lay-out.ts";
import { plainPalette } from "./palette.ts";
import { clipped, row } from "./row.ts";
import { stripControl, stripToLine } from "./strip-control.ts";
import { bad, caution, muted } from "./styles.ts";

type CallHappening = Exclude<Happening, { readonly kind: "event" }>;
type FailedCall = Extract<Happening, { readonly kind: "call-failed" }>;

interface LiveCall {
  readonly role: string;
  readonly model: string;
  readonly attempt: number;
  /** The end of what has arrived; whole replies may be too long to keep. */
  readonly tail: string;
  /** The beginning, which distinguishes data from prose. */
  readonly head: string;
  readonly length: number;
}

const noText = { tail: "", head: "", length: 0 };

const tailLength = 2_000;
const headLength = 20;
const mostCalls = 4;
const mostLines = 4;

/** The calls in flight, and which ones were answered from the record. */
export class LiveCalls {
  readonly #calls = new Map<string, LiveCall>();
  readonly #replayed = new Map<string, boolean>();

  /** Returns the lines to print permanently. */
  notice(happening: CallHappening, verbosity: Verbosity): readonly Line[] {
    switch (happening.kind) {
      case "call-started":
        this.#calls.set(happening.key, { ...happening, ...noText });
        return [];
      case "text":
        this.#receive(happening.key, happening.role, happening.part);
        return [];
      case "call-replied":
        this.#calls.delete(happening.key);
        this.#replayed.set(happening.key, happening.replayed);
        return [];
      case "call-failed":
        return [this.#fail(happening)];
      case "run-started":
        return [verbosity === "verbose" && row("run", [happening.run])];
      case "run-ended":
        this.#calls.clear();
        return [];
    }
  }

  /** True when every reply of this part of the turn came from the record. */
  isFromRecord(turn: number, part: "create" | "review"): boolean {
    const replies = [...this.#replayed].filter(([key]) => {
      const place = placeOf(key);
      return place?.turn === turn && place.part === part;
    });
    return replies.length > 0 && replies.every(([, replayed]) => replayed);
  }

  turnOf(key: string): number | undefined {
    return placeOf(key)?.turn;
  }

  severalCandidates(turn: number): boolean {
    const keys = [...this.#replayed.keys()];
    return keys.some((key) => placeOf(key)?.turn === turn && placeOf(key)?.candidate !== 1);
  }

  /** The live lines below the finished ones. A turn of which nothing is printed yet gets its heading here. */
  lines(printedTurn: number, width: number): readonly Line[] {
    const calls = [...this.#calls].slice(0, mostCalls);
    const turn = calls.map(([key]) => placeOf(key)?.turn).find((found) => found !== undefined);
    const each = calls.length === 1 ? mostLines : 1;
    return [
      ...(turn === undefined || turn === printedTurn ? [] : turnHeading(turn, false)),
      ...calls.map(([, call]) => liveLine(call, each, width - 14)),
    ];
  }

  #receive(key: string, role: string, part: string): void {
    const call = this.#calls.get(key) ?? { role, model: "", attempt: 1, ...noText };
    const tail = (call.tail + part).slice(-tailLength);
    const head = (call.head + part.slice(0, headLength)).slice(0, headLength);
    this.#calls.set(key, { ...call, tail, head, length: call.length + part.length });
  }

  #fail(failed: FailedCall): Line {
    const attempt = this.#calls.get(failed.key)?.attempt ?? 1;
    this.#calls.delete(failed.key);
    const what = `${stripToLine(failed.model)}: ${failureWords(failed.error)}`;
    if (failed.retryInMs === undefined) return row("failed", [bad(what)], "bad");
    const wait = renderDuration(failed.retryInMs / 1000);
    const text = `${what}, trying again in ${wait} (attempt ${attempt + 1})`;
    return row("retry", [caution(text)], "caution");
  }
}

function failureWords({ facts, message }: StoredError): string {
  const status =
    typeof facts === "object" && facts !== null && "status" in facts ? facts.status : undefined;
  if (typeof status === "number") return String(status);
  return clipped(stripToLine(message.slice(0, 1_000)), 160).replace(/\.$/u, "");
}

/** Keys are paths such as `turn/2/candidate/1/review/anna`. */
function placeOf(key: string) {
  const found = /(?:^|\/)turn\/(\d+)\/candidate\/(\d+)\/(create|review)(?:\/|$)/u.exec(key);
  if (found === null) return undefined;
  return { turn: Number(found[1]), candidate: Number(found[2]), part: found[3] };
}

function liveLine(call: LiveCall, most: number, width: number): Line {
  const name = call.role === "creator" ? "writer" : call.role;
  return row(name, [muted(wordsSoFar(call, most, width).join("\n"))]);
}

/** The text as it arrives; a reply that is not prose is counted instead of shown. */
function wordsSoFar(call: LiveCall, most: number, width: number): readonly string[] {
  const tail = stripControl(call.tail);
  const isData = /^\s*(?:[{[]|```)/u.test(call.head);
  if (call.length === 0) return [cutToWidth(`… ${stripToLine(call.model)}`, width)];
  if (isData || /<think(?:ing)?>(?![\s\S]*<\/think(?:ing)?>)/u.test(tail)) {
    return [cutToWidth(`… ${renderCount(call.length, "character")}`, width)];
  }
  const prose = tail.replace(/^[\s\S]*<\/think(?:ing)?>/u, "").trim();
  const lines = layOut([prose], { width, palette: plainPalette });
  return lines.slice(-most).map((line) => cutToWidth(line, width));
}
