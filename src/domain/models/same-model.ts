/** Other names of a model, as in `models.aliases`: what people write → what the provider reports, or the reverse. */
export type ModelAliases = { readonly [alias: string]: string };

/** A date, a release such as `-v2` or `-001`, or a tag. `-1` is not one: `claude-opus-4-1` is another model. */
const suffix = /^(?:[:@].+|-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{6}|-\d{3,4}|-v\d+(?:[.:-]\d+)*)$/u;

/**
 * Whether the model that answered counts as the one that was asked for. Both are full names; a reported name
 * may only add to the requested one, never take away, so that a smaller model is never taken for a larger one.
 */
export function sameModel(
  requested: string,
  reported: string,
  aliases: ModelAliases = {},
): boolean {
  const asked = aliases[requested] ?? requested;
  const answered = aliases[reported] ?? reported;
  if (asked === answered) return true;
  const stem = asked.replace(/[:-]latest$/u, "");
  if (stem === answered) return true;
  return answered.startsWith(stem) && suffix.test(answered.slice(stem.length));
}

/** The offered name that a person means, if the provider has it. */
export function findOffered(
  requested: string,
  offered: readonly string[],
  aliases: ModelAliases = {},
): string | undefined {
  const asked = aliases[requested] ?? requested;
  return (
    offered.find((name) => name === asked) ?? offered.find((name) => `${name}:latest` === asked)
  );
}
