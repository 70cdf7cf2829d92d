import type { Pool } from "pg";
import type { RunId } from "../../../domain/values/ids.ts";
import type { Happening, Observer } from "../../../ports/observer.ts";

/** What screens elsewhere show of a run while it works. Nothing of it is stored, and nothing depends on it. */
export interface LiveMessage {
  /** The run at the top: whoever follows it sees its children, too. */
  readonly top: RunId;
  readonly happening: LiveHappening;
}

/** An event is only announced: whoever follows the run reads it from the store. */
export type LiveHappening =
  | Exclude<Happening, { kind: "event" | "run-ended" }>
  | { readonly kind: "event"; readonly run: RunId; readonly seq: number };

/** PostgreSQL refuses longer payloads. */
const longestPayload = 7_900;
/** At most four messages a second for each call. */
const gatherMillis = 250;

export function liveChannel(project: string): string {
  return `${project}:live`;
}

/** Publishes what happens to the runs of one project. Text that comes faster than it is sent is sent together. */
export class LivePublisher implements Observer {
  readonly #pool: Pick<Pool, "query">;
  readonly #channel: string;
  readonly #tops = new Map<RunId, RunId>();
  #waiting: LiveMessage[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pick<Pool, "query">, project: string) {
    this.#pool = pool;
    this.#channel = liveChannel(project);
  }

  notice(happening: Happening): void {
    const run = happening.kind === "event" ? happening.event.run : happening.run;
    if (happening.kind === "run-started") this.#tops.set(run, happening.top);
    const top = this.#tops.get(run) ?? run;
    if (happening.kind === "run-ended") {
      this.#tops.delete(run);
      return;
    }
    this.#add({ top, happening: announced(happening) });
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#send(), gatherMillis).unref();
    }
  }

  #add(message: LiveMessage): void {
    const last = this.#waiting.findLast(({ happening }) =>
      isSameCall(happening, message.happening),
    );
    if (last?.happening.kind === "text" && message.happening.kind === "text") {
      const part = last.happening.part + message.happening.part;
      this.#waiting[this.#waiting.indexOf(last)] = {
        ...last,
        happening: { ...last.happening, part },
      };
    } else {
      this.#waiting.push(message);
    }
  }

  #send(): void {
    this.#timer = undefined;
    const payloads = this.#waiting.flatMap(payloadsOf);
    this.#waiting = [];
    if (payloads.length === 0) return;
    // A message that is lost is not missed: the record has everything.
    this.#pool
      .query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [
        this.#channel,
        payloads,
      ])
      .catch(() => undefined);
  }
}

export function readLiveMessage(payload: string): LiveMessage | undefined {
  try {
    return JSON.parse(payload) as LiveMessage;
  } catch {
    return undefined;
  }
}

function announced(happening: Exclude<Happening, { kind: "run-ended" }>): LiveHappening {
  if (happening.kind !== "event") return happening;
  const { run, seq } = happening.event;
  return { kind: "event", run, seq };
}

function isSameCall(one: LiveHappening, other: LiveHappening): boolean {
  return "key" in one && "key" in other && one.run === other.run && one.key === other.key;
}

/** A long text is cut into several messages, anything else that is too long is left out. */
function payloadsOf(message: LiveMessage): readonly string[] {
  const payload = JSON.stringify(message);
  if (Buffer.byteLength(payload) <= longestPayload) return [payload];
  const { happening } = message;
  if (happening.kind !== "text" || happening.part.length < 2) return [];
  const middle = Math.floor(happening.part.length / 2);
  return [happening.part.slice(0, middle), happening.part.slice(middle)].flatMap((part) =>
    payloadsOf({ ...message, happening: { ...happening, part } }),
  );
}
