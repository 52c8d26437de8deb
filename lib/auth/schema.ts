import { personNameSchema, z } from '@/lib/base/zod';

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 128;
/** RFC 5321, 4.5.3.1.3. */
const MAX_EMAIL_CHARACTERS = 254;

/** An e-mail address in lower case, which identifies an account. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_CHARACTERS, `An e-mail address has at most ${MAX_EMAIL_CHARACTERS} characters.`)
  .pipe(z.email('That is not an e-mail address.'));

export const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `A password has at least ${MIN_PASSWORD_CHARACTERS} characters.`)
  .max(MAX_PASSWORD_CHARACTERS, `A password has at most ${MAX_PASSWORD_CHARACTERS} characters.`);

/** POST /api/auth/sign-in/email. Invalid input is refused like wrong credentials: see `sign-in/auth-routes.ts`. */
export const signInSchema = z.strictObject({ email: z.string().max(1000), password: z.string().max(1000) });
export type SignInForm = z.infer<typeof signInSchema>;

/** POST /api/auth/sign-in/second-factor: an authenticator code or a recovery code. */
export const secondStepSchema = z.strictObject({ code: z.string().max(100) });

/** POST /api/auth/sign-in/oidc: the path of this server to open afterwards. */
export const oidcStartSchema = z.strictObject({ next: z.string().max(2000) });

/** Why a sign-in at the identity provider failed, as a query parameter of the sign-in page. */
export const OIDC_REFUSALS = ['no-account', 'domain', 'unverified', 'provider'] as const;
export type OidcRefusal = (typeof OIDC_REFUSALS)[number];

/** POST /api/set-up: the first manager. */
export const setUpSchema = z.strictObject({
  code: z.string().trim().min(1, 'Enter the code that the server printed.').max(100),
  name: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
});
export type SetUp = z.infer<typeof setUpSchema>;
