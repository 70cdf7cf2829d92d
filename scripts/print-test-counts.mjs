// The last line of a run, for whoever reads only that.
import { readFileSync } from "node:fs";

const { numPassedTests, numFailedTests } = JSON.parse(
  readFileSync("dist/test-results.json", "utf8"),
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
