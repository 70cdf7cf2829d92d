import type { Key, RunId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";
import type { StoredEvent } from "./journal.ts";
import type { StoredError, Usage } from "./runner.ts";

/** What happens right now, for screens, logs and metrics. Nothing here is stored and nothing depends on it. */
export type Happening =
  | {
      readonly kind: "run-started";
      readonly run: RunId;
      readonly jobKind: string;
      readonly at: Instant;
    }
  | {
      readonly kind: "call-started";
      readonly run: RunId;
      readonly key: Key;
      readonly role: string;
      readonly model: string;
      readonly attempt: number;
    }
  | {
      readonly kind: "text";
      readonly run: RunId;
      readonly key: Key;
      readonly role: string;
      readonly part: string;
    }
  | {
      readonly kind: "call-replied";
      readonly run: RunId;
      readonly key: Key;
      readonly role: string;
      readonly model: string;
      readonly seconds: number;
      readonly usage?: Usage;
      readonly replayed: boolean;
    }
  | {
      readonly kind: "call-failed";
      readonly run: RunId;
      readonly key: Key;
      readonly role: string;
      readonly model: string;
      readonly error: StoredError;
      readonly retryInMs?: number;
    }
  | { readonly kind: "event"; readonly event: StoredEvent }
  | {
      readonly kind: "run-ended";
      readonly run: RunId;
      /** The kind of its ending; `left` when this process may not, or cannot, say how it ended. */
      readonly ending: string;
      readonly at: Instant;
      /** The thrown value behind a failure, for `--debug`. */
      readonly cause?: unknown;
    };

export interface Observer {
  notice(happening: Happening): void;
}
