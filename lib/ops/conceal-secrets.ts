import 'server-only';
import type { Env } from '../config/env';
import type { SecretKeeper } from './log';

type Secrets = Pick<Env, 'databaseUrl' | 'metricsToken' | 'providers'> & {
  mail: Pick<NonNullable<Env['mail']>, 'url'> | null;
  oidc: Pick<NonNullable<Env['oidc']>, 'clientSecret'> | null;
};

/** Redacts every secret of the environment in the log. */
export const concealSecrets = (env: Secrets, { conceal }: Pick<SecretKeeper, 'conceal'>): void => {
  conceal(env.metricsToken ?? '');
  conceal(env.oidc?.clientSecret ?? '');
  for (const url of [env.databaseUrl, env.mail?.url ?? null]) {
    if (url === null) continue;
    conceal(url);
    conceal(decodeURIComponent(new URL(url).password));
  }
  for (const { apiKey, providerToken } of env.providers) {
    conceal(apiKey);
    conceal(providerToken);
  }
};
