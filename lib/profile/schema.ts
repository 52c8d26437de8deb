import { z } from '@/lib/base/zod';
import { newPasswordSchema } from '../auth/schema';

/** GET /api/account: the viewer's own sign-in methods and sessions. */
export const accountSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** False for a user who signs in only at the identity provider. */
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** The server requires a second factor of this user. */
  isSecondFactorRequired: z.boolean(),
  sessions: z.array(
    z.object({
      id: z.string(),
      /** The browser's User-Agent; null if it sent none. */
      userAgent: z.string().nullable(),
      /** The client's network address at sign-in. */
      address: z.string().nullable(),
      createdAtMs: z.number(),
      /** Approximate time of the last use. */
      seenAtMs: z.number(),
      isThis: z.boolean(),
    }),
  ),
});
export type ProfileAnswer = z.infer<typeof accountSchema>;

const knownPassword = z.string().min(1, 'Give your password.').max(1000);

/** PUT /api/account/password. */
export const passwordChangeSchema = z.strictObject({
  password: knownPassword,
  newPassword: newPasswordSchema,
});
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** The body of requests that change the second factor and require the password again. */
export const passwordAgainSchema = z.strictObject({ password: knownPassword });
export type PasswordAgain = z.infer<typeof passwordAgainSchema>;

/** PUT /api/account/second-factor: a code of the app, which proves that the app has the secret. */
export const appCodeSchema = z.strictObject({
  code: z
    .string()
    .max(20)
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'The app shows six digits.')),
});

/** The answer to a started second factor. `uri` is the content of the QR code: otpauth://… */
export const secondFactorStartSchema = z.object({ uri: z.string(), recoveryCodes: z.array(z.string()) });
export type SecondFactorStart = z.infer<typeof secondFactorStartSchema>;

export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
