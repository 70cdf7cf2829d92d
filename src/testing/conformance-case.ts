/** One guarantee of a port. Needs a fresh subject; throws if the guarantee is broken. */
export interface ConformanceCase<Subject> {
  readonly title: string;
  run(subject: Subject): Promise<void>;
}

export function testCase<Subject>(
  title: string,
  run: (subject: Subject) => Promise<void>,
): ConformanceCase<Subject> {
  return { title, run };
}
