import { z } from 'zod';
import { emailSchema, newPasswordSchema, personNameSchema } from '../auth/schema';
import { ROLES } from '../auth/viewer';

/** What a manager of some fleets reads in the place of the e-mail address of a user who sees others. */
export const HIDDEN_MANAGER = 'another manager';

const MAX_USDOTS = 200;

const usdotSchema = z
  .string()
  .trim()
  .regex(/^0*[1-9]\d{0,7}$/, 'A USDOT number has one to eight digits.')
  // One carrier has one name.
  .transform((digits) => digits.replace(/^0+/, ''));

/** The USDOT numbers whose fleets somebody may see; null: all. */
export const usdotsSchema = z
  .array(usdotSchema)
  .min(1, 'Give at least one USDOT number.')
  .max(MAX_USDOTS, `At most ${MAX_USDOTS} USDOT numbers.`)
  .transform((usdots) => [...new Set(usdots)])
  .nullable();

/** PATCH /api/users/:id: what is to be another than it is. */
export const userChangeSchema = z
  .strictObject({
    name: personNameSchema.optional(),
    role: z.enum(ROLES).optional(),
    usdots: usdotsSchema.optional(),
    isDisabled: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Nothing is to be changed.');
export type UserChangeInput = z.infer<typeof userChangeSchema>;

/** For how many days an invitation may hold. */
export const INVITATION_DAYS = [1, 3, 7, 14, 30] as const;

/** POST /api/invitations. */
export const inviteSchema = z.strictObject({
  email: emailSchema,
  role: z.enum(ROLES),
  usdots: usdotsSchema,
  days: z.literal(INVITATION_DAYS),
});
export type Invite = z.infer<typeof inviteSchema>;

/** What a link bears after its #: 256 random bits. */
const tokenSchema = z.string().max(200);

/** POST /api/join/invitation and /api/reset/link: asks what a link is for. */
export const linkSchema = z.strictObject({ token: tokenSchema });

/** POST /api/join. */
export const joinSchema = z.strictObject({
  token: tokenSchema,
  name: personNameSchema,
  password: newPasswordSchema,
});
export type Join = z.infer<typeof joinSchema>;

/** POST /api/reset. */
export const resetSchema = z.strictObject({ token: tokenSchema, password: newPasswordSchema });
export type Reset = z.infer<typeof resetSchema>;

/** POST /api/reset/mail: asks for a link by mail. */
export const resetMailSchema = z.strictObject({ email: emailSchema });

/** What a link is for. */
export const linkAnswerSchema = z.object({ email: z.string() });

export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  usdots: z.array(z.string()).nullable(),
  createdAtMs: z.number(),
  /** Since when the user may not sign in; null: may. */
  disabledAtMs: z.number().nullable(),
  /** A code is asked for at every sign-in by password. */
  hasSecondFactor: z.boolean(),
});
export type User = z.infer<typeof userSchema>;

const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  usdots: z.array(z.string()).nullable(),
  /** E-mail address of the manager, or HIDDEN_MANAGER. */
  invitedBy: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** GET /api/users: whom a manager may change, by e-mail address. */
export const usersAnswerSchema = z.object({
  nowMs: z.number(),
  users: z.array(userSchema),
  /** Those that were not taken up, also expired ones. */
  invitations: z.array(invitationSchema),
});

/** What lets others in without signing in, in use, and which managers make: it must not outlive their rights. */
const madeItemSchema = z.object({
  kind: z.enum(['wall-screen', 'api-key', 'ingest-token']),
  id: z.string(),
  name: z.string(),
  /** The USDOT numbers whose fleets it opens; null: all. */
  usdots: z.array(z.string()).nullable(),
  /** Of an API key, only the pair of secrets that was replaced and still works for a while. */
  isReplacedPair: z.boolean(),
});
export type MadeItem = z.infer<typeof madeItemSchema>;

/** GET /api/users/:id/made, as far as the asking manager sees those fleets. */
export const userMadeSchema = z.object({
  made: z.array(madeItemSchema),
  /** What has no maker on record, made on the command line, in the demo or before makers were kept. */
  withoutMaker: z.array(madeItemSchema),
});
export type UserMade = z.infer<typeof userMadeSchema>;

/** Whether a user who has these rights may keep what they made in use: a manager, within their own fleets. */
export const mayKeep = (
  { role, usdots, isDisabled }: Pick<User, 'role' | 'usdots'> & { isDisabled: boolean },
  made: Pick<MadeItem, 'usdots'>,
): boolean =>
  role === 'manager' &&
  !isDisabled &&
  (usdots === null || (made.usdots !== null && made.usdots.every((usdot) => usdots.includes(usdot))));

/** What came of a mail; `none`: no mail server is configured. */
const MAIL_OUTCOMES = ['sent', 'failed', 'none'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** A link that is told this once. */
export const madeLinkSchema = z.object({
  email: z.string(),
  /** A path of this server with a fragment, or an address where the server knows its own. */
  link: z.string(),
  expiresAtMs: z.number(),
  mail: z.enum(MAIL_OUTCOMES),
});
export type MadeLink = z.infer<typeof madeLinkSchema>;
