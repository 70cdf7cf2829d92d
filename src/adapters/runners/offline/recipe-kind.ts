/** Slogans have their own craft; every other recipe is prose that keeps its checks. */
export function isSlogan(task: { readonly recipe: string; readonly title: string }): boolean {
  return /slogan|tagline|claim|motto/i.test(`${task.recipe} ${task.title}`);
}
