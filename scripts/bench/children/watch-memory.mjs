// Loaded before a program: when it exits, prints the most memory that the process ever held, in megabytes.
process.on("exit", () => {
  process.stderr.write(`\nheld ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB\n`);
});
