import { chunkTranscript } from "../../../dist/src/domain/episodes/chunker.js";

const wordsPerHour = 9_000;
const rounds = 5;

/** Cutting a ten-hour transcript within a second, and whether the time per word stays the same beyond it. */
export function episodeChunking() {
  const ten = transcriptOf(10);
  const forty = transcriptOf(40);
  const tenHours = fastest(() => chunkTranscript(ten));
  const fortyHours = fastest(() => chunkTranscript(forty));
  const unit = "ms";
  return [
    {
      figure: "chunking ten hours",
      unit,
      ours: tenHours,
      bound: 1000,
      boundIs: "a second",
      target: 1,
    },
    {
      figure: "chunking forty hours",
      unit,
      ours: fortyHours,
      bound: tenHours * 4,
      boundIs: "four times ten hours",
      target: 1.3,
    },
  ];
}

/** Spoken words with a time mark about once a minute. */
export function transcriptOf(hours) {
  const lines = [];
  for (let minute = 0; minute < hours * 60; minute += 1) {
    const clock = [Math.floor(minute / 60), minute % 60, 0];
    const time = clock.map((part) => String(part).padStart(2, "0")).join(":");
    const sentence = `In minute ${minute} the baker weighs flour, adds water and waits for the dough.`;
    const count = Math.ceil(wordsPerHour / 60 / sentence.split(" ").length);
    lines.push(`${time} Ada Bell: ${Array(count).fill(sentence).join(" ")}\n`);
  }
  return lines.join("\n");
}

function fastest(work) {
  const times = Array.from({ length: rounds + 1 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times.slice(1));
}
