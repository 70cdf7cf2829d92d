/** From nothing to everything; each level also writes what those before it write. */
export const logLevels = ["silent", "error", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];
