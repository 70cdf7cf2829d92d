// Loaded before a program: when it exits, prints in megabytes what was in use after the last forced collection and the most
// that the process held.
let inUse = 0;
const look = () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  inUse = heapUsed + external;
};
setInterval(look, 2_000).unref();
process.on("exit", () => {
  if (inUse === 0) look();
  const held = process.resourceUsage().maxRSS / 1_024;
  const figures = { inUse: Math.round(inUse / 104_857.6) / 10, held: Math.round(held) };
  process.stderr.write(`\nmemory ${JSON.stringify(figures)}\n`);
});
