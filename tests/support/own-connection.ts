/**
 * Each request on a new connection: the server closes an idle one after five seconds, possibly just when it is used
 * again, and on a busy machine a command between two requests may take that long.
 */
export const ownConnection = { connection: "close" } as const;
