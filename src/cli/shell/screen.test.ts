import { describe, expect, it } from "vitest";
import { LiveArea } from "./live-area.ts";
import { openScreen, printLines, type TextStream } from "./screen.ts";

function stream(facts: { isTTY?: boolean; columns?: number } = {}): TextStream & { text: string } {
  return {
    ...facts,
    text: "",
    write(text) {
      this.text += text;
    },
  };
}

function unlost(error: Error): void {
  throw error;
}

describe("openScreen", () => {
  it("tells results and remarks apart", () => {
    const [stdout, stderr] = [stream(), stream()];
    const screen = openScreen({ stdout, stderr }, unlost);
    printLines(screen.out, ["Hydrate Green"]);
    printLines(screen.err, ["Turn 1", "Turn 2"]);
    printLines(screen.err, []);
    expect(stdout.text).toBe("Hydrate Green\n");
    expect(stderr.text).toBe("Turn 1\nTurn 2\n");
  });

  it.each([
    [undefined, 80],
    [0, 80],
    [64, 64],
    [300, 110],
  ])("gives a stream of %s columns %i to write in", (columns, expected) => {
    const wide = stream(columns === undefined ? {} : { columns });
    expect(openScreen({ stdout: wide, stderr: stream() }, unlost).out.columns()).toBe(expected);
  });
});

describe("a stream that cannot be written", () => {
  function lostOn(name: "stdout" | "stderr", code: string): readonly string[] {
    const lost: string[] = [];
    const failing = (): TextStream => ({
      write: () => undefined,
      on: (_event, listener) => listener(Object.assign(new Error(code), { code })),
    });
    const streams = { stdout: stream(), stderr: stream(), [name]: failing() };
    openScreen(streams, ({ message }) => lost.push(message));
    return lost;
  }

  it("fails when the result cannot be written, whatever happens to remarks", () => {
    expect(lostOn("stdout", "ENOSPC")).toEqual(["ENOSPC"]);
    expect(lostOn("stderr", "ENOSPC")).toEqual([]);
  });

  it("is nothing to tell when its reader has read enough", () => {
    expect(lostOn("stdout", "EPIPE")).toEqual([]);
  });
});

describe("LiveArea", () => {
  const area = (isTTY: boolean) => {
    const stderr = stream({ isTTY });
    return { stderr, live: new LiveArea(openScreen({ stdout: stream(), stderr }, unlost).err) };
  };

  it("replaces what it drew, prints above it and takes it back", () => {
    const { stderr, live } = area(true);
    live.draw(["writing", "Hyd"]);
    live.draw(["writing", "Hydrate"]);
    live.draw(["writing", "Hydrate"]);
    live.print(["Turn 1"]);
    live.clear();
    live.clear();
    expect(stderr.text).toBe(
      [
        "writing\nHyd\n",
        "\x1B[2A\x1B[Jwriting\nHydrate\n",
        "\x1B[2A\x1B[JTurn 1\nwriting\nHydrate\n",
        "\x1B[2A\x1B[J",
      ].join(""),
    );
  });

  it("writes only finished lines into a log", () => {
    const { stderr, live } = area(false);
    live.draw(["writing"]);
    live.print(["Turn 1"]);
    live.clear();
    expect(stderr.text).toBe("Turn 1\n");
  });
});
