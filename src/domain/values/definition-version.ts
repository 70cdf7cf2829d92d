/**
 * The version of all flows. Raise it when a run that was begun before would take another path after the change: such runs
 * then go to workers that still know the version they name, or are moved with `runs resume --accept-changes`.
 */
export const definitionVersion = 1;
