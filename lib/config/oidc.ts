import 'server-only';
import { z } from 'zod';
import { isLoopbackHost } from '@/lib/base/http/same-origin';
import { isSet, parseUrl, text, type Source } from './values';

/** An identity provider (OpenID Connect), and which of its users may sign in. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** In lower case. */
  emailDomains: readonly string[];
  /** A user without an account gets one, as a dispatcher who sees no fleet yet; otherwise the sign-in is refused. */
  createsUsers: boolean;
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;

const issuer = text.transform((value, context) => {
  if (value === undefined) return undefined;
  const url = parseUrl(value);
  const isSafe =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash;
  if (isSafe) return value;
  context.addIssue({
    code: 'custom',
    message: 'must be an https URL without a query, as the provider names itself',
  });
  return z.NEVER;
});

const emailDomains = text.transform((value, context) => {
  const domains = (value ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((domain) => domain !== '');
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong === undefined) return domains;
  context.addIssue({
    code: 'custom',
    message: `must list domains such as example.com, separated by commas, not ${JSON.stringify(wrong)}`,
  });
  return z.NEVER;
});

const newUsers = text.transform((value, context) => {
  if (value === undefined || value === 'refuse' || value === 'dispatcher') return value;
  context.addIssue({
    code: 'custom',
    message: `must be "refuse" or "dispatcher", not ${JSON.stringify(value)}`,
  });
  return z.NEVER;
});

export const OIDC_VARIABLES = {
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_EMAIL_DOMAINS: emailDomains,
  OIDC_NEW_USERS: newUsers,
};

/** Settings that go with an issuer and mean nothing without one. */
const PARTS = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_EMAIL_DOMAINS'] as const;

/** An OpenID Connect provider is configured completely, or not at all. */
export const toOidcFaults = (source: Source): string[] => {
  const has = (name: string) => isSet(source, name);
  if (!has('OIDC_ISSUER'))
    return [...PARTS, 'OIDC_NEW_USERS']
      .filter(has)
      .map((name) => `${name} is set without OIDC_ISSUER: set all or none.`);
  return [...PARTS, 'PUBLIC_URL']
    .filter((name) => !has(name))
    .map((name) => `${name} must be set with OIDC_ISSUER.`);
};

/** Null if no OpenID Connect provider is configured. */
export const toOidcSettings = (
  variables: z.infer<z.ZodObject<typeof OIDC_VARIABLES>>,
): OidcSettings | null => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_EMAIL_DOMAINS, OIDC_NEW_USERS } = variables;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    emailDomains: OIDC_EMAIL_DOMAINS,
    createsUsers: OIDC_NEW_USERS === 'dispatcher',
  };
};
