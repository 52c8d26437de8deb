import { z } from '@/lib/base/zod';

/** Replaces a value outside the scope of the manager who reads the record. */
export const HIDDEN = 'hidden';

const MAX_SEARCH_CHARACTERS = 254;
/** The end of the year 9999, the last instant that ISO 8601 writes with a four-digit year. */
const MAX_MS = 253_402_300_799_999;

const instantSchema = z.coerce.number().int().min(0).max(MAX_MS);

/** The actions in the audit log, an object and what happened to it, with the label of each. */
export const AUDIT_ACTIONS = {
  'alert-rule.add': 'Added an alert rule',
  'alert-rule.change': 'Changed an alert rule',
  'alert-rule.remove': 'Removed an alert rule',
  'alert.acknowledge': 'Acknowledged an alert',
  'alert.close': 'Closed an alert',
  'alert.note': 'Wrote a note on an alert',
  'alert.release': 'Took back an acknowledgment',
  'api-key.change': 'Changed an API key',
  'api-key.create': 'Made an API key',
  'api-key.revoke': 'Revoked an API key',
  'api-key.rotate': 'Rotated an API key',
  'audit.export': 'Exported the audit log',
  'contact.change': 'Changed whom to call about a truck',
  'contact.import': 'Imported contacts',
  'demo.remove': 'Removed the demo',
  'detention-terms.change': 'Changed terms of detention',
  'detention-visit.dismiss': 'Chose not to bill a visit',
  'detention-visit.restore': 'Chose to bill a visit after all',
  'fleet-source.change': 'Chose where the fleets come from',
  'fleet.export': 'Exported the fixes of a fleet',
  'handover-mail.change': 'Changed when they get a handover or a report by mail',
  'handover-mail.remove': 'Ended the scheduled mails of a user',
  'push-subscription.remove': 'Ended push messages to a browser',
  'ingest-token.create': 'Made an ingest token',
  'ingest-token.revoke': 'Revoked an ingest token',
  'load.add': 'Added a load',
  'load.change': 'Changed a load',
  'load.end': 'Ended a load',
  'load.end-mails': 'Ended the mails about a load',
  'load.remove': 'Removed a load',
  'load-key.create': 'Made a key for loads',
  'load-key.revoke': 'Revoked a key for loads',
  'note.add': 'Wrote a note on a truck',
  'note.remove': 'Removed a note from a truck',
  'password.change': 'Changed their password',
  'pickup-code.end': 'Ended the pickup code of a load',
  'pickup-code.make': 'Made a pickup code for a load',
  'proof.change': 'Changed who sees a document',
  'proof.mail': 'Mailed a document',
  'proof.issue': 'Issued a document',
  'proof-key.revoke': 'Revoked a key that signs documents',
  'proof-key.rotate': 'Let a new key sign documents',
  'recovery-codes.renew': 'Made new recovery codes',
  'second-factor.add': 'Set up a second factor',
  'second-factor.remove': 'Removed a second factor',
  'second-factor.start': 'Began to set up a second factor',
  'session.end': 'Signed out a session',
  'session.end-all': 'Signed out everywhere',
  'set-up': 'Set up the server',
  'settings.change': 'Changed settings',
  'share.add': 'Made a link for a customer',
  'share.change': 'Changed a link for a customer',
  'share.revoke': 'Revoked a link for a customer',
  'sign-in': 'Signed in',
  'sign-in.password': 'Password accepted, second factor pending',
  'sign-in.second-factor': 'Gave a code to sign in',
  'sign-out': 'Signed out',
  'site.add': 'Added a site',
  'site.change': 'Changed a site',
  'site.import': 'Imported sites',
  'site.remove': 'Removed a site',
  'tag.change': 'Changed a tag',
  'trail.export': 'Exported a trail',
  'user.ask-for-reset': 'Requested a new password by mail',
  'user.change': 'Changed a user',
  'user.disable': 'Disabled a user',
  'user.enable': 'Enabled a user',
  'user.invite': 'Invited a user',
  'user.join': 'Took up an invitation',
  'user.make-reset-link': 'Made a link to a new password',
  'user.reset-password': 'Chose a new password by a link',
  'user.withdraw-invitation': 'Withdrew an invitation',
  'vehicle.add': 'Added a vehicle',
  'vehicle.change': 'Changed a vehicle',
  'vehicle.import': 'Imported vehicles',
  'vehicle.remove': 'Removed a vehicle',
  'view.remove': 'Removed a shared view',
  'view.share': 'Shared a view',
  'wall-screen.create': 'Made a wall screen',
  'wall-screen.open': 'Opened a wall screen',
  'wall-screen.revoke': 'Revoked a wall screen',
  'webhook.add': 'Added a webhook',
  'webhook.change': 'Changed a webhook',
  'webhook.remove': 'Removed a webhook',
  'webhook.replay': 'Sent a message to a webhook again',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

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
