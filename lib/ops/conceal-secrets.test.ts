import { expect, it } from 'vitest';
import { concealSecrets } from './conceal-secrets';
import { createLog, createSecretKeeper } from './log';

it('redacts every secret of the environment in the log', () => {
  const lines: string[] = [];
  const keeper = createSecretKeeper();
  const log = createLog(keeper, 'debug', { write: (line) => void lines.push(line) });
  concealSecrets(
    {
      databaseUrl: 'postgres://linehaul:planted%2Fdatabase@127.0.0.1/linehaul',
      metricsToken: 'planted-metrics',
      oidc: { clientSecret: 'planted-oidc' },
      mail: { url: 'smtps://linehaul:planted-mail@mail.example' },
      providers: [
        { baseUrl: 'https://a.example', apiKey: 'planted-key', providerToken: 'planted-token', usdot: null },
        {
          baseUrl: 'https://b.example',
          apiKey: 'planted-key-2',
          providerToken: 'planted-token-2',
          usdot: '2',
        },
      ],
    },
    keeper,
  );
  log.warn(
    'got postgres://linehaul:planted%2Fdatabase@127.0.0.1/linehaul planted/database planted-metrics planted-oidc ' +
      'planted-mail smtps://linehaul:planted-mail@mail.example planted-key planted-token planted-key-2 planted-token-2',
  );
  expect(lines.join('')).toContain('got [hidden]');
  expect(lines.join('')).not.toMatch(/planted/);
});

it('accepts an environment without secrets', () => {
  const concealed: string[] = [];
  const none = { databaseUrl: null, metricsToken: null, oidc: null, mail: null, providers: [] };
  concealSecrets(none, { conceal: (value) => void concealed.push(value) });
  expect(concealed.join('')).toBe('');
});
