/** Words a model id may be followed by that do not make it another model. */
export interface PartitionRules {
  /** Spelling → the model it stands for. */
  readonly aliases: { readonly [spelling: string]: string };
}

const efforts = new Set(["low", "medium", "high", "xhigh"]);
const standIn = "offline/";
/** Names that can never pass for a model's. */
const member = "member/";
const prefixes = [standIn, "panel/", member];

/**
 * The name reviews are kept under: reviews of one model do not count for another. Rule-based stand-ins, panels and
 * members of panels that have names of their own keep their prefix.
 */
export function modelPartition(model: string, rules: PartitionRules, effort?: string): string {
  const known = resolveAlias(model, rules);
  const prefix = prefixes.find((one) => known.startsWith(one)) ?? "";
  const folded = foldModelId(known.slice(prefix.length).replace(/:latest$/i, ""));
  const suffix =
    effort !== undefined && efforts.has(effort.toLowerCase()) ? `-${effort.toLowerCase()}` : "";
  return `${prefix}${folded}${suffix}`;
}

export function isStandInPartition(partition: string): boolean {
  return partition.startsWith(standIn);
}

/** Where a member of a panel files its verdicts: the digest is of its model and of what its prompt says about it. */
export function memberPartition(panel: string, name: string, digest: string): string {
  return modelPartition(`${member}${panel}-${name}-${digest.slice(0, 12)}`, { aliases: {} });
}

export function isMemberPartition(partition: string): boolean {
  return partition.startsWith(member);
}

/**
 * A reported id is the asked model when it is the same, an alias, or the same with a date, version or tag behind
 * it. Anything else is another model's work and is filed as such.
 */
export function isSameModel(asked: string, reported: string, rules: PartitionRules): boolean {
  const [want, got] = [modelPartition(asked, rules), modelPartition(reported, rules)];
  if (want === got || isStandInPartition(want)) return want === got;
  const bare = modelPartition(asked.slice(asked.lastIndexOf("/") + 1), rules);
  return [want, bare].some(
    (name) =>
      got === name || (got.startsWith(`${name}-`) && isSnapshotSuffix(got.slice(name.length + 1))),
  );
}

function resolveAlias(model: string, { aliases }: PartitionRules): string {
  const trimmed = model.trim();
  for (const [spelling, meant] of Object.entries(aliases))
    if (foldModelId(spelling) === foldModelId(trimmed)) return meant;
  return trimmed.toLowerCase();
}

function foldModelId(model: string): string {
  return model
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** `20260115`, `2026-01-15`, `001`, `v2`, `latest`, `preview`; `mini` or `high` would be another model. */
function isSnapshotSuffix(suffix: string): boolean {
  return /^(latest|preview|v?\d+(-\d+){0,3})$/.test(suffix);
}
