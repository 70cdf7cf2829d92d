/** One promise of a port, checked on any adapter; throws when it is broken. */
export interface ConformanceCase<Subject> {
  readonly title: string;
  run(subject: Subject): Promise<void>;
}
