import 'server-only';
import type { Env } from './env';
import type { SecretRedactor } from '@/lib/base/log';

type Secrets = Pick<Env, 'databaseUrl' | 'databaseReadUrl' | 'redisUrl' | 'metricsToken' | 'providers'> & {
  mail: Pick<NonNullable<Env['mail']>, 'url'> | null;
  oidc: Pick<NonNullable<Env['oidc']>, 'clientSecret'> | null;
};

/** Redacts every secret of the environment in the log. */
export const addEnvSecrets = (env: Secrets, { addSecret }: Pick<SecretRedactor, 'addSecret'>): void => {
  addSecret(env.metricsToken ?? '');
  addSecret(env.oidc?.clientSecret ?? '');
  for (const url of [env.databaseUrl, env.databaseReadUrl, env.redisUrl, env.mail?.url ?? null]) {
    if (url === null) continue;
    addSecret(url);
    addSecret(decodeURIComponent(new URL(url).password));
  }
  for (const { apiKey, providerToken } of env.providers) {
    addSecret(apiKey);
    addSecret(providerToken);
  }
};
