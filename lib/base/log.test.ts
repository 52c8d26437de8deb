import { DrizzleQueryError } from 'drizzle-orm/errors';
import { describe, expect, it } from 'vitest';
import { createLog, createSecretRedactor, toLoggedPath } from './log';
import { addEnvSecrets } from '@/lib/config/env';

const setUp = () => {
  const lines: string[] = [];
  const keeper = createSecretRedactor();
  const log = createLog(keeper, 'debug', { write: (line) => void lines.push(line) });
  return { keeper, lines, log };
};

describe('createLog', () => {
  it('writes lines of JSON with time, level and message', () => {
    const { lines, log } = setUp();
    log.child({ part: 'store' }).warn({ usdot: '9000001' }, 'A poll failed.');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      part: 'store',
      usdot: '9000001',
      msg: 'A poll failed.',
    });
  });

  it('redacts fields with names of secrets', () => {
    const { lines, log } = setUp();
    log.info({ apiKey: 'planted-1', demo: { providerToken: 'planted-2', token: 'planted-3' } }, 'x');
    expect(lines.join()).not.toContain('planted');
    expect(lines.join()).toContain('[hidden]');
  });

  it('redacts a known secret wherever it occurs, in JSON and percent-encoded', () => {
    const { keeper, lines, log } = setUp();
    keeper.addSecret('plan"ted/päss');
    const error = new Error('cannot reach postgres://u:plan%22ted%2Fp%C3%A4ss@h/d', {
      cause: new Error('plan"ted/päss'),
    });
    log.error({ err: error, note: ['plan"ted/päss'] }, 'failed with plan"ted/päss');
    expect(lines.join()).not.toMatch(/plan.{0,3}ted/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'failed with [hidden]' });
  });

  it.each(['base64', 'base64url'] as const)('redacts a known secret in %s', (encoding) => {
    const { keeper, lines, log } = setUp();
    keeper.addSecret('plan"ted/päss');
    const encoded = Buffer.from('plan"ted/päss').toString(encoding);
    log.error({ err: new Error(`got Basic ${encoded}`) }, encoded);
    expect(lines.join()).not.toContain(encoded.slice(0, 12));
    expect(lines.join()).toContain('got Basic [hidden]');
  });

  it('does not search base64 for a short secret, which would match by chance', () => {
    const { keeper, lines, log } = setUp();
    keeper.addSecret('b$!');
    log.info(Buffer.from('b$!').toString('base64'));
    expect(lines.join()).not.toContain('[hidden]');
  });

  it('hides e-mail addresses, and the line stays JSON', () => {
    const { lines, log } = setUp();
    const reason =
      'Error: 550 5.1.1 <ann.b+c@carrier.test>: unknown\nbob@carrier.test\t"o\'neil@x.example.org"';
    log.warn({ reason, err: new Error(reason), path: '/node_modules/@better-auth/core' }, reason);
    const { msg, path } = JSON.parse(lines[0]!) as { msg: string; path: string };
    expect(lines[0]).not.toMatch(/@(carrier|x\.example)/);
    expect(msg).toBe('Error: 550 5.1.1 <[hidden]>: unknown\n[hidden]\t"o\'[hidden]"');
    expect(path).toBe('/node_modules/@better-auth/core');
  });

  it('redacts credentials of the tracking service that it was not given', () => {
    const { lines, log } = setUp();
    const token = 'lh_provider_planted-abc_def';
    const error = new Error(`got ${token}`, { cause: new Error(token) });
    log.error({ err: error, deep: { deeper: { url: `/ingest/${token}/osmand` } } }, `with ${token}`);
    expect(lines.join()).not.toContain('planted');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      deep: { deeper: { url: '/ingest/[hidden]/osmand' } },
    });
  });

  it('does not log the values of a failed statement, such as the address of a webhook', () => {
    const { lines, log } = setUp();
    const values = ['hook', 'https://planted@hooks.test/planted?token=planted', 'planted\nsealed'];
    const refusal = Object.assign(new Error('violates check constraint "webhooks_check"'), {
      code: '23514',
      detail: `Failing row contains (${values.join(', ')}).`,
    });
    const failed = new DrizzleQueryError('insert into "webhooks" values ($1, $2, $3)', values, refusal);
    log.error({ err: failed }, 'A request failed.');
    log.error({ err: new Error('The webhook was not added.', { cause: failed }) }, 'A request failed.');
    log.error({ err: refusal }, 'A request failed.');
    expect(lines.join()).not.toContain('planted');
    for (const line of lines) expect(line).toContain('violates check constraint');
    expect(lines[1]).toContain('The webhook was not added.: Failed query: insert into');
  });

  it('ignores an empty secret', () => {
    const { keeper, lines, log } = setUp();
    keeper.addSecret('');
    log.info('all is well');
    expect(lines.join()).toContain('all is well');
  });
});

it('redacts every secret of the environment in the log', () => {
  const lines: string[] = [];
  const keeper = createSecretRedactor();
  const log = createLog(keeper, 'debug', { write: (line) => void lines.push(line) });
  addEnvSecrets(
    {
      databaseUrl: 'postgres://linehaul:planted%2Fdatabase@127.0.0.1/linehaul',
      databaseReadUrl: 'postgres://linehaul:planted-copy@127.0.0.1/linehaul',
      redisUrl: 'redis://:planted-redis@127.0.0.1',
      metricsToken: 'planted-metrics',
      oidc: { clientSecret: 'planted-oidc' },
      mail: { url: 'smtps://linehaul:planted-mail@mail.example' },
      routing: { secrets: ['planted-routing'] },
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
    'got planted-copy postgres://linehaul:planted%2Fdatabase@127.0.0.1/linehaul planted/database planted-metrics planted-oidc ' +
      'planted-mail smtps://linehaul:planted-mail@mail.example planted-redis planted-routing planted-key planted-token planted-key-2 planted-token-2',
  );
  expect(lines.join('')).toContain('got [hidden]');
  expect(lines.join('')).not.toMatch(/planted/);
});

it('accepts an environment without secrets', () => {
  const concealed: string[] = [];
  const none = {
    databaseUrl: null,
    databaseReadUrl: null,
    redisUrl: null,
    metricsToken: null,
    oidc: null,
    mail: null,
    routing: null,
    providers: [],
  };
  addEnvSecrets(none, { addSecret: (value) => void concealed.push(value) });
  expect(concealed.join('')).toBe('');
});

it('logs no address that is a secret', () => {
  expect(toLoggedPath('/t/jLQLLGV0MCQbf-J0jhN9tWZk_xE?lang=es')).toBe('/t/…');
  expect(toLoggedPath('/d/7K3M-92QX-4HTD?as=pdf')).toBe('/d/…');
  expect(toLoggedPath('/p/7K3M-92QX-4HTD')).toBe('/p/…');
  expect(toLoggedPath('/tracking/ingest/osmand/secret')).toBe('/tracking/…');
  expect(toLoggedPath('/fleets/9000001?q=x')).toBe('/fleets/9000001');
  // Spellings that are answered with a redirect, the page itself, or as unknown.
  const spellings = [
    '//t/',
    '/T/',
    '/%74/',
    '/t%2f',
    '/t\\',
    '/x/../t/',
    '/%2e/u%2F',
    '/%55/',
    '//tracking/',
  ];
  for (const path of spellings)
    expect(toLoggedPath(`${path}jLQLLGV0MCQbf-J0jhN9tWZk_xE`), path).not.toContain('jLQ');
});
