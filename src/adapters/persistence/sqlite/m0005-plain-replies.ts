/**
 * The text of a reply as it was said; `value` then holds the rest. Prompts and system texts are plain as well from here
 * on. Older rows stay as they are: their texts are JSON, which is told by its quotation mark.
 */
export const m0005PlainReplies = "ALTER TABLE calls ADD COLUMN reply TEXT;";
