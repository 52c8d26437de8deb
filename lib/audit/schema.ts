import { z } from 'zod';

/** Stands in a record for what lies beyond the scope of the manager who reads it. */
export const HIDDEN = 'hidden';

const MAX_WORDS_CHARACTERS = 254;
/** The end of the year 9999, which is as far as ISO 8601 goes with four digits. */
const MAX_MS = 253_402_300_799_999;

const instantSchema = z.coerce.number().int().min(0).max(MAX_MS);

/** What is written into the audit log: a thing and what became of it. Each has its words in lib/audit/text.ts. */
export const AUDIT_ACTIONS = [
  'api-key.change',
  'api-key.create',
  'api-key.revoke',
  'api-key.rotate',
  'audit.export',
  'ingest-token.create',
  'ingest-token.revoke',
  'password.change',
  'recovery-codes.renew',
  'second-factor.add',
  'second-factor.remove',
  'second-factor.start',
  'session.end',
  'session.end-all',
  'set-up',
  'settings.change',
  'sign-in',
  'sign-in.password',
  'sign-in.second-factor',
  'sign-out',
  'user.ask-for-reset',
  'user.change',
  'user.disable',
  'user.enable',
  'user.invite',
  'user.join',
  'user.make-reset-link',
  'user.reset-password',
  'user.withdraw-invitation',
  'vehicle.add',
  'vehicle.change',
  'vehicle.import',
  'wall-screen.create',
  'wall-screen.open',
  'wall-screen.revoke',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The query of GET /api/audit and /api/audit/csv. */
export const auditFilterSchema = z.strictObject({
  /** Part of the name of who did it, or of on whom it was done. */
  who: z
    .string()
    .trim()
    .min(1)
    .max(MAX_WORDS_CHARACTERS)
    // PostgreSQL's texts have no such character.
    .refine((text) => !text.includes('\u0000'), 'A name has no such character.')
    .optional(),
  action: z
    .string()
    .regex(/^[a-z.-]{1,60}$/)
    .optional(),
  outcome: z.enum(['done', 'refused']).optional(),
  fromMs: instantSchema.optional(),
  /** Lines of this instant are not among them. */
  untilMs: instantSchema.optional(),
});
export type AuditFilterInput = z.infer<typeof auditFilterSchema>;

/** The same, of one page of the list. */
export const auditPageSchema = auditFilterSchema.extend({
  beforeId: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

const auditLineSchema = z.object({
  id: z.number(),
  atMs: z.number(),
  /** Who, in words: an e-mail address, "demo", "server", "nobody"; or HIDDEN_MANAGER. */
  actor: z.string(),
  /** What, as "sign-in" or "user.disable". */
  action: z.string(),
  /** On whom or what, in words. */
  subject: z.string().nullable(),
  /** The client's network address. */
  address: z.string().nullable(),
  outcome: z.enum(['done', 'refused']),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof auditLineSchema>;

/** GET /api/audit: the newest first. */
export const auditAnswerSchema = z.object({
  lines: z.array(auditLineSchema),
  /** Every action of which there is a line. */
  actions: z.array(z.string()),
  /** There are older ones. */
  hasMore: z.boolean(),
});
