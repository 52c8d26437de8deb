import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { FLAGS } from '@/lib/motion/status';
import { parseEnv } from './env';
import { DEFAULT_FLAG_SETTINGS } from './flags';
import { faultsOf } from '@/testing/config/faults-of';

const flagSettingsOf = (source: Record<string, string>) => parseEnv(source).flagSettings;
const toSource = (thresholds: unknown) => ({ FLAG_THRESHOLDS: JSON.stringify(thresholds) });
const faultsIn = (thresholds: unknown) => faultsOf(toSource(thresholds));

describe('FLAG_THRESHOLDS', () => {
  test.each(FLAGS)(
    'sets when %s is raised and when it is cleared, each by itself, and nothing else',
    (flag) => {
      const { flags, ...answers } = DEFAULT_FLAG_SETTINGS;
      const { enterMs, leaveMs } = flags[flag];
      expect(enterMs).toBeGreaterThanOrEqual(0);
      expect(leaveMs).toBeGreaterThan(0);
      expect(flagSettingsOf(toSource({ [flag]: { enterMs: 12_345 } }))).toEqual({
        flags: { ...flags, [flag]: { enterMs: 12_345, leaveMs } },
        ...answers,
      });
      expect(flagSettingsOf(toSource({ [flag]: { leaveMs: 123_456 } }))).toEqual({
        flags: { ...flags, [flag]: { enterMs, leaveMs: 123_456 } },
        ...answers,
      });
    },
  );

  it('lists the flags that it sets', () => {
    expect(parseEnv({}).fixedFlags).toEqual([]);
    const source = toSource({
      badVin: {},
      frozenPosition: { enterMs: 0 },
      identityChange: { leaveMs: 90_000 },
    });
    expect(parseEnv(source).fixedFlags).toEqual(['frozenPosition', 'identityChange']);
  });

  it('reads the numbers of answers about a carrier', () => {
    const { flags } = DEFAULT_FLAG_SETTINGS;
    expect(flagSettingsOf(toSource({ wrongCarrier: { enterAnswers: 3, leaveAnswers: 1 } }))).toEqual({
      flags,
      othersAnswers: 3,
      ownAnswers: 1,
    });
  });

  it('keeps the defaults where it is unset, empty or an empty object', () => {
    for (const FLAG_THRESHOLDS of ['', ' ', '{}', '{"badVin":{}}'])
      expect(flagSettingsOf({ FLAG_THRESHOLDS })).toEqual(DEFAULT_FLAG_SETTINGS);
  });

  it('is in .env.example with the name and the default of each flag', () => {
    const lines = readFileSync('.env.example', 'utf8').match(/^#   [ {].*\d\}.*$/gm) ?? [];
    const listed = JSON.parse(lines.map((line) => line.slice(1)).join('\n')) as object;
    expect(Object.keys(listed)).toEqual(FLAGS);
    expect(flagSettingsOf(toSource(listed))).toEqual(DEFAULT_FLAG_SETTINGS);
    expect(lines.join().match(/Ms"/g)).toHaveLength(2 * FLAGS.length);
    expect(lines.join().match(/Answers"/g)).toHaveLength(2);
  });

  it('names every field that it cannot use, with the other faults of the environment', () => {
    const thresholds = {
      badVIN: { enterMs: 0 },
      badVin: { enterS: 5, enterAnswers: 2 },
      noPosition: { enterMs: -1, leaveMs: 0 },
      clockFault: { enterMs: '5000', leaveMs: 1500.5 },
      vinMismatch: 60_000,
      duplicateVin: { enterMs: 86_400_001, leaveMs: null },
      wrongCarrier: { enterAnswers: 0, leaveAnswers: 21 },
    };
    const faults = faultsOf({ ...toSource(thresholds), PORT: '0' });
    const enter = 'must be a whole number from 0 to 86400000.';
    const leave = 'must be a whole number from 1000 to 7776000000.';
    const answers = 'must be a whole number from 1 to 20.';
    expect([...faults].sort()).toEqual(
      [
        `FLAG_THRESHOLDS.badVIN is no setting: there are ${FLAGS.join(', ')}.`,
        'FLAG_THRESHOLDS.badVin.enterS is no setting: there are enterMs, leaveMs.',
        'FLAG_THRESHOLDS.badVin.enterAnswers is no setting: there are enterMs, leaveMs.',
        `FLAG_THRESHOLDS.noPosition.enterMs ${enter}`,
        `FLAG_THRESHOLDS.noPosition.leaveMs ${leave}`,
        `FLAG_THRESHOLDS.clockFault.enterMs ${enter}`,
        `FLAG_THRESHOLDS.clockFault.leaveMs ${leave}`,
        'FLAG_THRESHOLDS.vinMismatch must be an object in braces.',
        `FLAG_THRESHOLDS.duplicateVin.enterMs ${enter}`,
        `FLAG_THRESHOLDS.duplicateVin.leaveMs ${leave}`,
        `FLAG_THRESHOLDS.wrongCarrier.enterAnswers ${answers}`,
        `FLAG_THRESHOLDS.wrongCarrier.leaveAnswers ${answers}`,
        'PORT must be a whole number from 1 to 65535, not "0".',
      ].sort(),
    );
  });

  it('must be a JSON object, and is not repeated: it may be a secret in the wrong place', () => {
    expect(faultsOf({ FLAG_THRESHOLDS: 'planted-secret' })).toEqual(['FLAG_THRESHOLDS must be JSON.']);
    for (const thresholds of ['planted-secret', null, 7, []])
      expect(faultsIn(thresholds)).toEqual(['FLAG_THRESHOLDS must be an object in braces.']);
  });
});

it('refuses a change of names that is not cleared after it is raised, as both thresholds count from it', () => {
  const fault = 'FLAG_THRESHOLDS.identityChange.leaveMs must be more than its enterMs, ';
  expect(faultsIn({ identityChange: { leaveMs: 60_000 } })).toEqual([
    `${fault}not 60000 to 60000: both count from the change.`,
  ]);
  expect(faultsIn({ identityChange: { enterMs: 7_200_000, leaveMs: 3_600_000 } })).toEqual([
    `${fault}not 3600000 to 7200000: both count from the change.`,
  ]);
  expect(faultsIn({ identityChange: { leaveMs: 60_001 } })).toEqual([]);
});
