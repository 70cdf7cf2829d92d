import { z } from "zod";

type Members = z.core.$ZodLooseShape;

export const words = z.array(z.string());
export const count = z.int().min(0);

export function objects<M extends Members>(members: M) {
  return z.array(z.object(members));
}

export function strictObjects<M extends Members>(members: M) {
  return z.array(z.strictObject(members));
}

export function optionalObject<M extends Members>(members: M) {
  return z.object(members).exactOptional();
}

export function optionalStrictObject<M extends Members>(members: M) {
  return z.strictObject(members).exactOptional();
}
