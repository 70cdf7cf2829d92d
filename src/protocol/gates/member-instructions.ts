/** What the prompt of a panel's member says about it. Other members are not named: who joins later changes no prompt. */
export function memberInstructions(
  panel: string,
  member: { readonly name: string; readonly role?: string; readonly criteria?: string },
): string {
  const { name, role, criteria } = member;
  return [
    `You are "${name}", one of the judges on the panel "${panel}". Judge in your own role.`,
    ...(role === undefined ? [] : [`Your role: ${role.trim()}`]),
    ...(criteria === undefined
      ? []
      : [`Your own criteria, which you apply beside what a gate asks:\n\n${criteria.trim()}`]),
  ].join("\n\n");
}
