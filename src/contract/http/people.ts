import { z } from "zod";
import { roles } from "../../domain/people/role.ts";
import { objects } from "../documents/shapes.ts";

/** `isOperator`: signed in with the token that the server printed at its start. */
export const sessionInfoShape = z.object({
  name: z.string(),
  role: z.enum(roles),
  isOperator: z.boolean(),
  people: objects({ name: z.string(), role: z.enum(roles) }),
});

export const attentionShape = z.object({
  attention: objects({ item: z.string(), name: z.string() }),
});
