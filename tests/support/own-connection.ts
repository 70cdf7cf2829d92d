/**
 * Each request on a connection of its own: one that is kept may be closed by the server, after five idle seconds, in the
 * moment it is used again, and on a busy machine a command between two requests takes as long.
 */
export const ownConnection = { connection: "close" } as const;
