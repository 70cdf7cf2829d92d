/**
 * The text of a reply, verbatim; `value` then holds the rest. Prompts and system texts are plain from here on, too.
 * Older rows stay unchanged: their texts are JSON, recognised by the quotation mark.
 */
export const m0005PlainReplies = "ALTER TABLE calls ADD COLUMN reply TEXT;";
