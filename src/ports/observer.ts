import type { Key, RunId } from "../domain/values/ids.ts";
import type { StoredEvent } from "./journal.ts";
import type { StoredError, Usage } from "./runner.ts";

interface CallHappening {
  readonly run: RunId;
  readonly key: Key;
  readonly role: string;
}

interface ModelCall extends CallHappening {
  readonly model: string;
}

/** Live progress for screens, logs and metrics. It is not stored, and nothing depends on it. */
export type Happening =
  | { readonly kind: "run-started"; readonly run: RunId; readonly top: RunId }
  | (ModelCall & { readonly kind: "call-started"; readonly attempt: number })
  | (CallHappening & { readonly kind: "text"; readonly part: string })
  | (ModelCall & {
      readonly kind: "call-replied";
      readonly seconds: number;
      readonly usage?: Usage;
      readonly replayed: boolean;
    })
  | (ModelCall & {
      readonly kind: "call-failed";
      readonly error: StoredError;
      readonly retryInMs?: number;
    })
  | { readonly kind: "event"; readonly event: StoredEvent }
  | {
      readonly kind: "run-ended";
      readonly run: RunId;
      /** The kind of its ending; `left` when this process does not know how it ended. */
      readonly ending: string;
      /** The thrown value behind a failure, for `--debug`. */
      readonly cause?: unknown;
    };

export interface Observer {
  notice(happening: Happening): void;
}
