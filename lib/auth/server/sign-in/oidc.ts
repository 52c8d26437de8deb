import 'server-only';
import type { OidcSettings } from '@/lib/config/oidc';
import type { BetterAuthOptions } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { personNameSchema } from '@/lib/base/zod';
import type { OidcRefusal } from '@/lib/auth/schema';

/** The provider's id in better-auth, which is part of the redirect URI. */
export const OIDC_PROVIDER = 'oidc';

type Validate = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/** The options of a better-auth instance with an identity provider. */
export interface OidcPart {
  /** Scheme, host and port of the redirect URI. */
  origin: string;
  plugin: ReturnType<typeof genericOAuth>;
  /** Called at each sign-in by the provider, of new and existing users. */
  validate: Validate;
}

const toDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

const findRefusal = (
  user: { email?: unknown; emailVerified?: unknown },
  emailDomains: readonly string[],
): OidcRefusal | null => {
  if (typeof user.email !== 'string' || user.emailVerified !== true) return 'unverified';
  return emailDomains.includes(toDomain(user.email)) ? null : 'domain';
};

export const toOidcPart = (settings: OidcSettings, origin: string): OidcPart => {
  const { issuer, clientId, clientSecret, emailDomains, createsUsers } = settings;
  return {
    origin,
    plugin: genericOAuth({
      config: [
        {
          providerId: OIDC_PROVIDER,
          // OpenID Connect Discovery 1.0, 4.1.
          discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
          clientId,
          clientSecret,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
          requireIdTokenVerification: true,
          disableSignUp: !createsUsers,
          mapProfileToUser: (profile) => ({
            name: personNameSchema.safeParse(profile.name).data ?? String(profile.email),
            emailVerified: profile.email_verified === true,
          }),
        },
      ],
    }),
    validate: async ({ user, source }) => {
      if (source.method !== 'oauth') return;
      const refusal = findRefusal(user, emailDomains);
      return refusal === null ? undefined : { error: refusal };
    },
  };
};
