import 'server-only';
import { z } from 'zod';
import {
  DEFAULT_MOTION_SETTINGS,
  THRESHOLD_BOUNDS,
  type FlagSettings,
  type MotionSettings,
} from '@/lib/motion/settings';
import { FLAGS, type Flag } from '@/lib/motion/status';
import { text, type Source } from './values';

const SETTING = 'FLAG_THRESHOLDS';

const { flags, othersAnswers, ownAnswers } = DEFAULT_MOTION_SETTINGS;
export const DEFAULT_FLAG_SETTINGS: FlagSettings = { flags, othersAnswers, ownAnswers };

const integerBetween = ([min, max]: readonly [number, number]) =>
  z
    .custom<number>((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .optional();

const THRESHOLDS = {
  enterMs: integerBetween(THRESHOLD_BOUNDS.enterMs),
  leaveMs: integerBetween(THRESHOLD_BOUNDS.leaveMs),
};
/** Answers about a carrier are cached for a day, which adds to this flag's delay. */
const WITH_ANSWERS = {
  ...THRESHOLDS,
  enterAnswers: integerBetween(THRESHOLD_BOUNDS.enterAnswers),
  leaveAnswers: integerBetween(THRESHOLD_BOUNDS.leaveAnswers),
};

const flag = z.strictObject(THRESHOLDS).optional();
const thresholdsSchema = z.strictObject({
  ...(Object.fromEntries(FLAGS.map((name) => [name, flag])) as Record<Flag, typeof flag>),
  wrongCarrier: z.strictObject(WITH_ANSWERS).optional(),
});
type Given = z.infer<typeof thresholdsSchema>;

/** The allowed values at one path of the setting. */
const listNames = ([name]: PropertyKey[]): string[] => {
  if (name === undefined) return [...FLAGS];
  return Object.keys(name === 'wrongCarrier' ? WITH_ANSWERS : THRESHOLDS);
};

const toFaults = ({ issues }: z.ZodError): string[] =>
  issues.flatMap((issue) => {
    const place = [SETTING, ...issue.path].join('.');
    if (issue.code === 'unrecognized_keys') {
      const known = listNames(issue.path).join(', ');
      return issue.keys.map((key) => `${place}.${key} is no setting: there are ${known}.`);
    }
    if (issue.code === 'invalid_type') return [`${place} must be an object in braces.`];
    return [`${place} ${issue.message}.`];
  });

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    // Without JSON.parse's message, which repeats the text: it may be a secret in the wrong place.
    return undefined;
  }
};

const parseGiven = (source: Source): { given: Given; faults: string[] } => {
  const json = text.parse(source[SETTING]);
  if (json === undefined) return { given: {}, faults: [] };
  const value = parseJson(json);
  if (value === undefined) return { given: {}, faults: [`${SETTING} must be JSON.`] };
  const parsed = thresholdsSchema.safeParse(value);
  return parsed.success ? { given: parsed.data, faults: [] } : { given: {}, faults: toFaults(parsed.error) };
};

const toFlagSettings = (given: Given): FlagSettings => {
  const { enterAnswers, leaveAnswers } = given.wrongCarrier ?? {};
  const merge = (name: Flag): MotionSettings['flags'][Flag] => ({
    enterMs: given[name]?.enterMs ?? flags[name].enterMs,
    leaveMs: given[name]?.leaveMs ?? flags[name].leaveMs,
  });
  return {
    flags: Object.fromEntries(FLAGS.map((name) => [name, merge(name)])) as MotionSettings['flags'],
    othersAnswers: enterAnswers ?? othersAnswers,
    ownAnswers: leaveAnswers ?? ownAnswers,
  };
};

/**
 * A change of names is an event: both of its thresholds count from it, so that the flag is cleared only after
 * it is raised.
 */
const toOrderFaults = ({ flags: { identityChange } }: FlagSettings): string[] => {
  const { enterMs, leaveMs } = identityChange;
  if (leaveMs > enterMs) return [];
  return [
    `${SETTING}.identityChange.leaveMs must be more than its enterMs, not ${leaveMs} to ${enterMs}: ` +
      'both count from the change.',
  ];
};

/** The thresholds of all flags, those of FLAG_THRESHOLDS over the defaults; which flags it sets; and every fault. */
export const parseFlagSettings = (
  source: Source,
): { flagSettings: FlagSettings; fixedFlags: readonly Flag[]; faults: string[] } => {
  const { given, faults } = parseGiven(source);
  const flagSettings = toFlagSettings(given);
  const fixedFlags = FLAGS.filter((name) => Object.keys(given[name] ?? {}).length > 0);
  return { flagSettings, fixedFlags, faults: [...faults, ...toOrderFaults(flagSettings)] };
};
