/** Where an axis ends that has to reach this far: 1, 2 or 5 times a power of ten. */
export function axisTop(most: number, least: number): number {
  const reach = Math.max(most, least);
  const power = 10 ** Math.floor(Math.log10(reach));
  const step = [1, 2, 5, 10].find((one) => one * power >= reach) ?? 10;
  return step * power;
}
