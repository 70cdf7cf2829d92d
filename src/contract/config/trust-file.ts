import { z } from "zod";

/** The user's own list of projects whose settings may run programs and send keys. */
export const trustFileShape = z.object({
  version: z.literal(1),
  /** By the project's real path: the same words in another folder can name another program. */
  projects: z.record(z.string(), z.object({ digest: z.string(), trusted_at: z.string() })),
  /** Digests of coders that stage manifests of the project name. */
  coders: z.record(z.string(), z.array(z.string())).exactOptional(),
});

export type TrustFile = z.output<typeof trustFileShape>;
