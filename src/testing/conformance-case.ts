/** One promise of a port. A fresh subject each time; throws when the promise is broken. */
export interface ConformanceCase<Subject> {
  readonly title: string;
  run(subject: Subject): Promise<void>;
}
