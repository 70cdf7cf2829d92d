export async function runProgram(_args: readonly string[]): Promise<number> {
  return 0;
}
