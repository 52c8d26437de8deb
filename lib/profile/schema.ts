import { z } from 'zod';
import { newPasswordSchema } from '../auth/schema';

/** GET /api/account: how somebody signs in, and where they are signed in. */
export const accountSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** False for who signs in at a provider of identities alone. */
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** This server wants one of this user. */
  isSecondFactorRequired: z.boolean(),
  sessions: z.array(
    z.object({
      id: z.string(),
      /** As the browser names itself; null where it did not. */
      userAgent: z.string().nullable(),
      /** Where it was signed in from. */
      address: z.string().nullable(),
      createdAtMs: z.number(),
      /** About when it was last used. */
      seenAtMs: z.number(),
      /** The one that asks. */
      isThis: z.boolean(),
    }),
  ),
});
export type Account = z.infer<typeof accountSchema>;

const knownPassword = z.string().min(1, 'Give your password.').max(1000);

/** PUT /api/account/password. */
export const passwordChangeSchema = z.strictObject({
  password: knownPassword,
  newPassword: newPasswordSchema,
});
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** What changes the second factor asks for again. */
export const passwordAgainSchema = z.strictObject({ password: knownPassword });
export type PasswordAgain = z.infer<typeof passwordAgainSchema>;

/** PUT /api/account/second-factor: the code that the app shows, which proves that it has the secret. */
export const appCodeSchema = z.strictObject({
  code: z
    .string()
    .max(20)
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'The app shows six digits.')),
});

/** What starting to set up a second factor answers. `uri` is what the QR code says: otpauth://… */
export const secondFactorStartSchema = z.object({ uri: z.string(), recoveryCodes: z.array(z.string()) });
export type SecondFactorStart = z.infer<typeof secondFactorStartSchema>;

export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
