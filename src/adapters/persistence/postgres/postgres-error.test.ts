import { expect, it, test } from "vitest";
import { postgresError } from "./postgres-error.ts";

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  [failure("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"), "store-away"],
  [failure("Connection terminated unexpectedly"), "store-away"],
  [failure('password authentication failed for user "app"', "28P01"), "store-refused"],
  [failure("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"), "store-unverified"],
  [failure("certificate has expired", "CERT_HAS_EXPIRED"), "store-unverified"],
  [failure("unable to verify", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "store-unverified"],
  [failure("Host: db. is not in the cert's", "ERR_TLS_CERT_ALTNAME_INVALID"), "store-unverified"],
  [failure("The server does not support SSL connections"), "store-unencrypted"],
  [failure("permission denied for table runs", "42501"), "store-forbidden"],
])("gives %s a name", (error, code) => {
  expect(postgresError(error, "db:5432/app")).toMatchObject({
    code,
    facts: { place: "db:5432/app" },
  });
});

it("leaves an error that is not the database's as it is", () => {
  const wrong = failure("The argument is wrong", "ERR_INVALID_ARG_TYPE");
  expect(postgresError(wrong, "db:5432/app")).toBe(wrong);
  const unknown = failure("duplicate key", "23505");
  expect(postgresError(unknown, "db:5432/app")).toBe(unknown);
});
