import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import type { CliContext } from "../shell/cli-context.ts";
import type { FollowFlags } from "../shell/follow-run.ts";
import { printRemark } from "../shell/print.ts";

/** Several loops run in parallel and their turns would mix, so each prints one line when it ends. */
export class AssetLines implements Observer {
  readonly #cli: CliContext;
  readonly #isQuiet: boolean;
  readonly #assets = new Map<string, string>();

  constructor(cli: CliContext, { quiet, json }: FollowFlags) {
    this.#cli = cli;
    this.#isQuiet = quiet === true || json === true;
  }

  notice(happening: Happening): void {
    if (happening.kind !== "event" || this.#isQuiet) return;
    const { run } = happening.event;
    const event = readDraftEvent(happening.event);
    if (event?.kind === "loop-started") this.#assets.set(run, event.assetId);
    if (event?.kind !== "loop-decided") return;
    const { outcome, finalIteration } = event.decision;
    const text = `${this.#assets.get(run) ?? run}: ${outcome} in iteration ${finalIteration ?? "?"}`;
    printRemark(this.#cli, text);
  }
}
