import { z, personNameSchema } from '@/lib/base/zod';
import { emailSchema, newPasswordSchema } from '../auth/schema';
import { ROLES } from '@/lib/base/viewer';
import { tagSchema } from '../tags/tag';

/** Replaces the e-mail address of a user outside a limited manager's scope. */
export const HIDDEN_MANAGER = 'another manager';

const MAX_USDOTS = 200;
const MAX_TAGS = 50;

const usdotSchema = z
  .string()
  .trim()
  .regex(/^0*[1-9]\d{0,7}$/, 'A USDOT number has one to eight digits.')
  // Without leading zeros, each carrier has exactly one number.
  .transform((digits) => digits.replace(/^0+/, ''));

/** The USDOT numbers in a user's scope; null: all. */
export const usdotsSchema = z
  .array(usdotSchema)
  .min(1, 'Give at least one USDOT number.')
  .max(MAX_USDOTS, `At most ${MAX_USDOTS} USDOT numbers.`)
  .transform((usdots) => [...new Set(usdots)])
  .nullable();

/** The tags to whose units a user is limited; null: all units. */
const tagsSchema = z
  .array(tagSchema)
  .min(1, 'Give at least one tag.')
  .max(MAX_TAGS, `At most ${MAX_TAGS} tags.`)
  .transform((tags) => [...new Set(tags)])
  .nullable();

/** PATCH /api/users/:id: the changed fields. */
export const userChangeSchema = z
  .strictObject({
    name: personNameSchema.optional(),
    role: z.enum(ROLES).optional(),
    usdots: usdotsSchema.optional(),
    tags: tagsSchema.optional(),
    isDisabled: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Nothing is to be changed.');
export type UserChangeInput = z.infer<typeof userChangeSchema>;

export const INVITATION_DAYS = [1, 3, 7, 14, 30] as const;

/** POST /api/invitations. */
export const inviteSchema = z.strictObject({
  email: emailSchema,
  role: z.enum(ROLES),
  usdots: usdotsSchema,
  tags: tagsSchema,
  days: z.literal(INVITATION_DAYS),
});
export type Invite = z.infer<typeof inviteSchema>;

/** The token after a link's #: 256 random bits. */
const tokenSchema = z.string().max(200);

/** POST /api/join/invitation and /api/reset/link: look up the recipient of a link. */
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

/** POST /api/reset/mail: requests a link by e-mail. */
export const resetMailSchema = z.strictObject({ email: emailSchema });

export const linkAnswerSchema = z.object({ email: z.string() });

/** The states of the e-mail with a link; `retrying`: it is tried again; `none`: no mail server is configured. */
const MAIL_STATES = ['sent', 'retrying', 'failed', 'none'] as const;

const linkMailShape = {
  mail: z.enum(MAIL_STATES),
  /** Why it was not sent, as the mail server says it. */
  mailProblem: z.string().nullable(),
};
export type LinkMailState = z.infer<z.ZodObject<typeof linkMailShape>>;

const rightsShape = {
  email: z.string(),
  role: z.enum(ROLES),
  usdots: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
};

export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  ...rightsShape,
  createdAtMs: z.number(),
  /** The time since which the user is disabled; null: enabled. */
  disabledAtMs: z.number().nullable(),
  /** Every sign-in by password also requires a code. */
  hasSecondFactor: z.boolean(),
  /** The e-mail with the newest open link to a new password; null: there is none. */
  resetMail: z.object(linkMailShape).nullable().default(null),
});
export type User = z.infer<typeof userSchema>;

const invitationSchema = z.object({
  id: z.string(),
  ...rightsShape,
  /** E-mail address of the manager, or HIDDEN_MANAGER. */
  invitedBy: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  ...linkMailShape,
});
export type Invitation = z.infer<typeof invitationSchema>;

/** GET /api/users: the users in the manager's scope, sorted by e-mail address. */
export const usersAnswerSchema = z.object({
  nowMs: z.number(),
  users: z.array(userSchema),
  /** Invitations that were not accepted, including expired ones. */
  invitations: z.array(invitationSchema),
});

/** Items that give access or positions to others without sign-in: only a manager may keep them. */
const MANAGER_ITEMS = ['wall-screen', 'api-key', 'load-key', 'ingest-token', 'webhook'] as const;
/** Items that send a user, or those to whom they give it, what they may see. */
const PERSONAL_ITEMS = ['own-rule', 'push-subscription', 'handover-mail', 'share'] as const;

/** An item that works without its maker and ends with the maker's rights, apart from rules for the whole fleet. */
const madeItemSchema = z.object({
  kind: z.enum([...MANAGER_ITEMS, ...PERSONAL_ITEMS, 'fleet-rule']),
  id: z.string(),
  name: z.string(),
  /** The USDOT numbers that it is about; null: all; none: it is about whatever its user may see. */
  usdots: z.array(z.string()).nullable(),
  /** For an API key, only the replaced pair of secrets, which is still valid for a while. */
  isReplacedPair: z.boolean(),
});
export type MadeItem = z.infer<typeof madeItemSchema>;
/** An item with the id of the user who created it; null: no recorded creator. */
export type OwnedItem = MadeItem & { madeById: string | null };

export const toOwnedItem = (
  kind: MadeItem['kind'],
  { id, name, usdots, madeById }: Pick<OwnedItem, 'id' | 'name' | 'usdots' | 'madeById'>,
  isReplacedPair = false,
): OwnedItem => ({ kind, id, name, usdots, madeById, isReplacedPair });

/** GET /api/users/:id/made, limited to the manager's scope. */
export const userMadeSchema = z.object({
  made: z.array(madeItemSchema),
  /** Items without a recorded creator: made on the command line, in the demo, or before creators were recorded. */
  withoutMaker: z.array(madeItemSchema),
});
export type UserMade = z.infer<typeof userMadeSchema>;

/** Whether a user with these rights keeps an item in use: within their own fleets, and a manager where it takes one. */
export const mayKeep = (
  { role, usdots, isDisabled }: Pick<User, 'role' | 'usdots'> & { isDisabled: boolean },
  made: Pick<MadeItem, 'kind' | 'usdots'>,
): boolean => {
  if (made.kind === 'fleet-rule') return true;
  if (isDisabled) return false;
  if (role !== 'manager' && (MANAGER_ITEMS as readonly string[]).includes(made.kind)) return false;
  return usdots === null || (made.usdots !== null && made.usdots.every((usdot) => usdots.includes(usdot)));
};

/** A link, which is returned only once. */
export const madeLinkSchema = z.object({
  email: z.string(),
  /** A path of this server with a fragment, or a full URL if the server has a public URL. */
  link: z.string(),
  expiresAtMs: z.number(),
  ...linkMailShape,
});
export type MadeLink = z.infer<typeof madeLinkSchema>;
