import { z } from '@/lib/base/zod';

/** Replaces a value outside the scope of the manager who reads the record. */
export const HIDDEN = 'hidden';

const MAX_SEARCH_CHARACTERS = 254;
/** The end of the year 9999, the last instant that ISO 8601 writes with a four-digit year. */
const MAX_MS = 253_402_300_799_999;

const instantSchema = z.coerce.number().int().min(0).max(MAX_MS);

/** The actions in the audit log: an object and what happened to it. lib/audit-log/text.ts has a label for each. */
export const AUDIT_ACTIONS = [
  'alert-rule.add',
  'alert-rule.change',
  'alert-rule.remove',
  'alert.acknowledge',
  'api-key.change',
  'api-key.create',
  'api-key.revoke',
  'api-key.rotate',
  'audit.export',
  'demo.remove',
  'fleet-source.change',
  'fleet.export',
  'handover-mail.change',
  'handover-mail.remove',
  'ingest-token.create',
  'ingest-token.revoke',
  'note.add',
  'note.remove',
  'password.change',
  'push-subscription.remove',
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
  'site.add',
  'site.change',
  'site.import',
  'site.remove',
  'tag.change',
  'trail.export',
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
  'view.remove',
  'view.share',
  'wall-screen.create',
  'wall-screen.open',
  'wall-screen.revoke',
  'webhook.add',
  'webhook.change',
  'webhook.remove',
  'webhook.replay',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The query of GET /api/audit and /api/audit/csv. */
export const auditFilterSchema = z.strictObject({
  /** Part of the name of the actor or of the subject. */
  who: z
    .string()
    .trim()
    .min(1)
    .max(MAX_SEARCH_CHARACTERS)
    // PostgreSQL text cannot contain U+0000.
    .refine((text) => !text.includes('\u0000'), 'A name has no such character.')
    .optional(),
  action: z
    .string()
    .regex(/^[a-z.-]{1,60}$/)
    .optional(),
  outcome: z.enum(['done', 'refused']).optional(),
  fromMs: instantSchema.optional(),
  /** Exclusive upper bound. */
  untilMs: instantSchema.optional(),
});
export type AuditFilterInput = z.infer<typeof auditFilterSchema>;

export const auditPageSchema = auditFilterSchema.extend({
  beforeId: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});

const auditLineSchema = z.object({
  id: z.number(),
  atMs: z.number(),
  /** The actor as text: an e-mail address, "demo", "server", NO_ACTOR or HIDDEN_MANAGER. */
  actor: z.string(),
  /** The action, such as "sign-in" or "user.disable". */
  action: z.string(),
  /** The subject as text. */
  subject: z.string().nullable(),
  address: z.string().nullable(),
  outcome: z.enum(['done', 'refused']),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.infer<typeof auditLineSchema>;

/** GET /api/audit: newest first. */
export const auditAnswerSchema = z.object({
  lines: z.array(auditLineSchema),
  /** Every action that occurs in the log. */
  actions: z.array(z.string()),
  hasMore: z.boolean(),
});
