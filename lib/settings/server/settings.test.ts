import { expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import { type SetSettings, changeSettings, readSettings } from './settings';
import { START_SETTINGS, settingsAnswerSchema } from '@/lib/settings/schema';
import type { Viewer } from '@/lib/base/viewer';
import { parseEnv } from '@/lib/config/env';

const LIMITED: Viewer = { ...DEMO_VIEWER, kind: 'user', id: 'u', usdots: ['9000002'] };
const SECRETS = {
  TRACKING_API_KEY: 'planted-key',
  TRACKING_PROVIDER_TOKEN: 'planted-token',
  TRACKING_2_API_KEY: 'planted-other-key',
  TRACKING_2_PROVIDER_TOKEN: 'planted-other-token',
  DATABASE_URL: 'postgres://user:planted-password@db.test/linehaul',
  AUTH_SECRET: 'planted-secret-of-32-characters-or-more',
  SMTP_URL: 'smtp://user:planted-mail@mail.test:587',
  OIDC_CLIENT_SECRET: 'planted-client-secret',
  METRICS_TOKEN: 'planted-metrics-token',
};
const PROVIDERS = {
  ...SECRETS,
  TRACKING_BASE_URL: 'https://one.test/v1',
  TRACKING_USDOT: '9000001',
  TRACKING_2_BASE_URL: 'https://two.test/v1',
  TRACKING_2_USDOT: '9000002',
  PUBLIC_URL: 'https://fleet.test',
  MAIL_FROM: 'fleet@carrier.test',
  OIDC_ISSUER: 'https://id.test',
  OIDC_CLIENT_ID: 'linehaul',
  OIDC_EMAIL_DOMAINS: 'carrier.test',
};

const setUp = (source: Record<string, string> = {}, stored: Partial<SetSettings> = {}) => {
  const change = vi.fn(async () => undefined);
  const read = async (): Promise<SetSettings> => ({
    isSecondFactorRequired: false,
    secondFactorChanged: null,
    flags: {},
    flagsChanged: null,
    ...stored,
  });
  return {
    runtime: {
      settings: { read, change },
      env: parseEnv(source),
      clock: { ...systemClock, nowMs: () => 1000 },
    },
    change,
  };
};
const by = { viewer: DEMO_VIEWER, client: { address: '203.0.113.7' } };

it('hides a manager of all fleets from a manager of some', async () => {
  const changed = { changedBy: 'a@b.test', changedAtMs: 7 };
  const { runtime } = setUp({}, { secondFactorChanged: changed, flagsChanged: changed });
  const { secondFactor, flagsChanged } = await readSettings(runtime, LIMITED);
  expect([secondFactor.changed, flagsChanged]).toEqual([
    { by: 'another manager', atMs: 7 },
    { by: 'another manager', atMs: 7 },
  ]);
});

it('lists what managers set over the presets, and the managers', async () => {
  const { runtime } = setUp(
    {},
    {
      isSecondFactorRequired: true,
      secondFactorChanged: { changedBy: 'a@b.test', changedAtMs: 7 },
      flags: { wrongCarrier: { enterMs: 1, leaveMs: 2000, enterAnswers: 3, leaveAnswers: 4 } },
    },
  );
  const answer = await readSettings(runtime, DEMO_VIEWER);
  expect(settingsAnswerSchema.parse(answer)).toEqual(answer);
  expect(answer).toMatchObject({
    nowMs: 1000,
    mayChange: true,
    secondFactor: { isRequired: true, isFixed: false, changed: { by: 'a@b.test', atMs: 7 } },
    flagsChanged: null,
  });
  expect(answer.flags.find(({ flag }) => flag === 'wrongCarrier')).toEqual({
    flag: 'wrongCarrier',
    threshold: { enterMs: 1, leaveMs: 2000, enterAnswers: 3, leaveAnswers: 4 },
    preset: { enterMs: 0, leaveMs: 60_000, enterAnswers: 2, leaveAnswers: 2 },
    isFixed: false,
  });
  expect(answer.flags.find(({ flag }) => flag === 'badVin')!.threshold).toEqual({
    enterMs: 5000,
    leaveMs: 60_000,
  });
});

it('a setting of the environment takes precedence over managers and cannot be changed', async () => {
  const { runtime, change } = setUp(
    { REQUIRE_SECOND_FACTOR: 'managers', FLAG_THRESHOLDS: '{"badVin":{"enterMs":7}}' },
    { flags: { badVin: { enterMs: 1, leaveMs: 2000 }, noPosition: { enterMs: 1, leaveMs: 2000 } } },
  );
  const { secondFactor, flags } = await readSettings(runtime, DEMO_VIEWER);
  expect(secondFactor).toMatchObject({ isRequired: true, isFixed: true });
  expect(flags.filter(({ isFixed }) => isFixed)).toMatchObject([
    { flag: 'badVin', threshold: { enterMs: 7, leaveMs: 60_000 } },
  ]);
  expect(flags[0]).toMatchObject({ flag: 'noPosition', threshold: { enterMs: 1, leaveMs: 2000 } });
  for (const refused of [{ isSecondFactorRequired: false }, { flags: { badVin: null } }])
    await expect(changeSettings(runtime, refused, by)).rejects.toMatchObject({ code: 'fixed-setting' });
  expect(change).not.toHaveBeenCalled();
  await changeSettings(runtime, { flags: { noPosition: null } }, by);
  expect(change).toHaveBeenCalledWith({ flags: { noPosition: null } }, by);
});

it('lists the start settings without any secret', async () => {
  const { runtime } = setUp(PROVIDERS);
  const { start } = await readSettings(runtime, DEMO_VIEWER);
  expect(start.map(({ name }) => name)).toEqual([...START_SETTINGS]);
  const values = Object.fromEntries(start.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    TRACKING_BASE_URL: 'one.test, two.test',
    POLL_INTERVAL_MS: 10_000,
    CARRIER_LOOKUPS_PER_MIN: 60,
    ACTIVE_WINDOW_MIN: null,
    SMTP_URL: true,
    METRICS_TOKEN: true,
    OIDC_ISSUER: 'https://id.test',
  });
  expect(JSON.stringify(start)).not.toContain('planted');
});

it('a manager of some fleets sees that they are read-only, and sees only the providers in scope', async () => {
  const { runtime } = setUp(PROVIDERS);
  const { mayChange, start } = await readSettings(runtime, LIMITED);
  expect(mayChange).toBe(false);
  expect(start[0]).toEqual({ name: 'TRACKING_BASE_URL', value: 'two.test' });
});
