import type { SweepProgress } from "../../orchestration/gates/run-sweep.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import { renderCount, renderDuration, renderTokens } from "../shell/amounts.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";
import { LiveArea } from "../shell/live-area.ts";
import { printLines, type Sink } from "../shell/screen.ts";
import { muted } from "../shell/styles.ts";

/** A live line at the bottom of a terminal; in a log, a line for every tenth of the calls. */
export class NotesProgress implements Observer {
  readonly #sink: Sink;
  readonly #area: LiveArea;
  readonly #layout: () => Layout;
  readonly #quiet: boolean;
  readonly #startedAt = performance.now();
  #calls = 0;
  #running = 0;
  #retries = 0;
  #last: SweepProgress | undefined;

  constructor(sink: Sink, how: { readonly layout: () => Layout; readonly quiet: boolean }) {
    this.#sink = sink;
    this.#area = new LiveArea(sink);
    this.#layout = how.layout;
    this.#quiet = how.quiet;
  }

  begin(calls: number): void {
    this.#calls = calls;
  }

  notice(happening: Happening): void {
    if (happening.kind === "call-started") this.#running += 1;
    if (happening.kind === "call-replied" && !happening.replayed) this.#running -= 1;
    if (happening.kind === "call-failed") {
      this.#running -= 1;
      this.#retries += 1;
    }
    this.#draw();
  }

  sweep(progress: SweepProgress): void {
    this.#last = progress;
    const done = progress.completed + progress.failed;
    const isMilestone =
      done === this.#calls || done % Math.max(1, Math.ceil(this.#calls / 10)) === 0;
    if (!this.#quiet && !this.#sink.isTerminal && isMilestone)
      printLines(this.#sink, this.#lines());
    this.#draw();
  }

  close(): void {
    this.#area.clear();
  }

  #draw(): void {
    if (!this.#quiet && this.#calls > 0) this.#area.draw(this.#lines());
  }

  #lines(): readonly string[] {
    const { completed, failed, tokens } = this.#last ?? { completed: 0, failed: 0, tokens: 0 };
    const done = completed + failed;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const left =
      done === 0 ? "" : `, ${renderDuration((seconds / done) * (this.#calls - done))} left`;
    const text = [
      `${done}/${renderCount(this.#calls, "call")} done`,
      ...(this.#running > 0 ? [`${this.#running} running`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(this.#retries > 0 ? [`${this.#retries} retried`] : []),
      `${renderTokens(tokens)}${left}`,
    ].join(" · ");
    const layout = this.#layout();
    return layOut([muted(text)], { ...layout, width: Number.POSITIVE_INFINITY });
  }
}
