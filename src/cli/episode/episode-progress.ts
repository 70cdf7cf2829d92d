import { isObject } from "../../domain/values/json.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import { renderCount, renderDuration } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import type { FollowFlags } from "../shell/follow-run.ts";
import { layOut } from "../shell/lay-out.ts";
import { LiveArea } from "../shell/live-area.ts";
import { muted } from "../shell/styles.ts";

/**
 * Progress of a command that works on several texts or chunks at once. Their turns would mix, so each prints one line
 * when it gets further; a terminal also shows how many calls are running.
 */
export class EpisodeProgress implements Observer {
  readonly #cli: CliContext;
  readonly #isQuiet: boolean;
  readonly #area: LiveArea;
  /** Of the calls, where the command knows it beforehand. */
  readonly #total: number | undefined;
  readonly #assets = new Map<string, string>();
  readonly #running = new Set<string>();
  #done = 0;

  constructor(cli: CliContext, { quiet, json }: FollowFlags, total?: number) {
    this.#cli = cli;
    this.#isQuiet = quiet === true || json === true;
    this.#area = new LiveArea(cli.screen.err);
    this.#total = total;
  }

  notice(happening: Happening): void {
    if (this.#isQuiet) return;
    switch (happening.kind) {
      case "call-started":
        this.#running.add(`${happening.run} ${happening.key}`);
        break;
      case "call-replied":
        this.#running.delete(`${happening.run} ${happening.key}`);
        this.#done += 1;
        if (!happening.replayed) this.#print(summarized(happening.key, happening.seconds));
        break;
      case "call-failed": {
        this.#running.delete(`${happening.run} ${happening.key}`);
        const { error, model, retryInMs } = happening;
        const again =
          retryInMs === undefined ? "" : `; trying again in ${renderDuration(retryInMs / 1000)}`;
        this.#print(
          `${this.#assets.get(happening.run) ?? happening.key}: ${model}: ${error.message}${again}`,
        );
        break;
      }
      case "event":
        this.#print(this.#lineOf(happening.event));
        break;
      default:
        return;
    }
    this.#draw();
  }

  close(): void {
    this.#area.clear();
  }

  #lineOf(stored: Extract<Happening, { kind: "event" }>["event"]): string | undefined {
    const { run, kind, data } = stored;
    if (kind === "drafts-written" && isObject(data)) return draftsWritten(data);
    const event = readDraftEvent(stored);
    const name = this.#assets.get(run) ?? run;
    switch (event?.kind) {
      case "loop-started":
        this.#assets.set(run, event.assetId);
        return undefined;
      case "iteration-recorded": {
        const { iteration, review } = event.iteration;
        return `${name}: turn ${iteration}, ${review.verdict.replaceAll("_", " ")}`;
      }
      case "loop-decided": {
        const { outcome, finalIteration } = event.decision;
        return `${name}: ${outcome} in turn ${finalIteration ?? "?"}`;
      }
      default:
        return undefined;
    }
  }

  #print(text: string | undefined): void {
    if (text !== undefined) this.#area.print(this.#laidOut(text));
  }

  #draw(): void {
    const of = this.#total === undefined ? "" : ` of ${Math.max(this.#total, this.#done)}`;
    const calls = `${this.#done}${of} calls done, ${this.#running.size} running`;
    this.#area.draw(this.#running.size === 0 ? [] : this.#laidOut(calls).slice(0, 1));
  }

  #laidOut(text: string): readonly string[] {
    return layOut([muted(text)], this.#cli.layoutOf(this.#cli.screen.err));
  }
}

/** Calls of a summary have keys such as `chunk/3`, `stage/1/group/2` and `episode`. */
function summarized(key: string, seconds: number): string | undefined {
  const [what = "", number, , group] = key.split("/");
  const took = ` (${renderDuration(seconds)})`;
  if (what === "chunk") return `chunk ${number}: summarized${took}`;
  if (what === "stage") return `group ${group} of stage ${number}: summarized${took}`;
  return what === "episode" ? `episode: summarized${took}` : undefined;
}

function draftsWritten(data: { readonly [name: string]: unknown }): string {
  const { asset_id: assetId, candidates, dropped } = data;
  const count = typeof candidates === "number" ? candidates : 0;
  const lost = typeof dropped === "number" && dropped > 0 ? dropped : 0;
  const said = lost === 0 ? "" : `; ${renderCount(lost, "draft")} dropped, the same as another`;
  return `${assetId}: ${renderCount(count, "draft")} written${said}`;
}
