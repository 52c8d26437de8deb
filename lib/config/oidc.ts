import 'server-only';
import type { z } from 'zod';
import { isLoopbackHost } from '@/lib/base/http/same-origin';
import { isSet, parsed, parseUrl, text, type Source } from './values';

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

const issuer = parsed((value) => {
  const url = parseUrl(value);
  const isSafe =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) &&
    !(url.username || url.password || url.search || url.hash);
  return isSafe ? value : { fault: 'must be an https URL without a query, as the provider names itself' };
}, undefined);

const emailDomains = parsed((value): string[] | { fault: string } => {
  const domains = value
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((domain) => domain !== '');
  const wrong = JSON.stringify(domains.find((domain) => !DOMAIN.test(domain)));
  return wrong === undefined
    ? domains
    : { fault: `must list domains such as example.com, separated by commas, not ${wrong}` };
}, []);

const newUsers = parsed(
  (value) =>
    value === 'refuse' || value === 'dispatcher'
      ? value
      : { fault: `must be "refuse" or "dispatcher", not ${JSON.stringify(value)}` },
  undefined,
);

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
