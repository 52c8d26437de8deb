import { z } from 'zod';

/** An RFC 9457 problem document, as our own routes answer it. `code` is stable; `detail` is for people. */
export const problemSchema = z.object({
  type: z.string().default('about:blank'),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.string().optional(),
  /** The error of one field of a form; an empty name for the form as a whole. */
  faults: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
