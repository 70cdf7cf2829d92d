// What the bundles take for zod. Its schemas are not compiled to functions before their first use: that pays off after
// about a thousand values, and nearly every process ends sooner.
import { ZodError, z } from "zod/v4";

z.config({ jitless: true });

export { ZodError, z };
