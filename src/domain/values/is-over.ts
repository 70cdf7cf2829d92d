/** Over for good: neither the same command nor `runs resume` continues the run. */
export function isOver({ state }: { readonly state: string }): boolean {
  return state === "finished" || state === "cancelled";
}
