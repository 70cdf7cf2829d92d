import { expect, it } from "vitest";
import { databaseUrlOf } from "./project-id.ts";

it.each(["postgresql://", "postgres://ada:p%20w@db.example.com/shop?sslmode=verify-full"])(
  "%s is the address of a database",
  (databaseUrl) => expect(databaseUrlOf({ databaseUrl })).toBe(databaseUrl),
);

it.each(["postgresql://ada:secret@db:port/shop", "mysql://ada:secret@db/shop", "ada:secret@db"])(
  "%s is refused in one sentence that does not repeat it",
  (databaseUrl) => {
    expect(() => databaseUrlOf({ databaseUrl })).toThrow(
      /^SIGNOFF_DATABASE_URL is not the address of a database\.$/u,
    );
  },
);
