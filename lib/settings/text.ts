import type { FlagSetting, StartSetting, StartValue, Threshold } from './schema';
import { formatCount, formatWhole } from '../view/format';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/base/time';

/** Units of a duration, the largest first. */
export const DURATION_UNITS = [
  { name: 'days', one: 'day', ms: 86_400 * SECOND_MS },
  { name: 'hours', one: 'hour', ms: 3600 * SECOND_MS },
  { name: 'minutes', one: 'minute', ms: 60 * SECOND_MS },
  { name: 'seconds', one: 'second', ms: SECOND_MS },
] as const;
type DurationUnit = (typeof DURATION_UNITS)[number];

const SECONDS = DURATION_UNITS[3];

/** A duration as a whole number of its largest unit; otherwise in fractional seconds. */
export const toAmount = (ms: number): { amount: number; unit: DurationUnit } => {
  const unit = DURATION_UNITS.find((each) => ms >= each.ms && ms % each.ms === 0) ?? SECONDS;
  return { amount: ms / unit.ms, unit };
};

/** An exact duration, unlike an age: "90 seconds", "1 hour", "at once". */
export const exactDurationText = (ms: number): string => {
  if (ms === 0) return 'at once';
  const { amount, unit } = toAmount(ms);
  return `${formatWhole(amount)} ${amount === 1 ? unit.one : unit.name}`;
};

interface SettingFormat {
  label: string;
  text: (value: Exclude<StartValue, null>) => string;
  /** The text if there is no value. */
  none?: string;
}

const asIs = String;
const duration = (value: StartValue): string => exactDurationText(Number(value));
const durationIn = (unitMs: number) => (value: StartValue) => exactDurationText(Number(value) * unitMs);
const rate = (value: StartValue): string => `${formatCount(Number(value), 'request')} a second`;
const given = (value: StartValue): string => (value === true ? 'Given' : 'Not given');

const START_SETTING_FORMATS: Record<StartSetting, SettingFormat> = {
  TRACKING_BASE_URL: { label: 'Tracking API', text: asIs, none: 'The service inside this server' },
  POLL_INTERVAL_MS: { label: 'Poll interval', text: duration },
  CARRIER_LOOKUPS_PER_MIN: {
    label: 'Carrier lookups by VIN',
    text: (value) => `${formatWhole(Number(value))} a minute`,
    none: 'None in the background',
  },
  TRACKING_TIMEOUT_MS: { label: 'Time limit of an answer', text: duration },
  ACTIVE_WINDOW_MIN: {
    label: 'A truck stays active after a fix for',
    text: durationIn(MINUTE_MS),
    none: 'Set by the provider',
  },
  FIX_RETENTION_DAYS: { label: 'Fixes are kept for', text: durationIn(DAY_MS), none: 'Set by the provider' },
  ACCOUNTS: {
    label: 'Signing in',
    text: (value) => (value === 'demo' ? 'Not needed on this machine' : 'Required'),
  },
  PUBLIC_URL: { label: 'Address of this server', text: asIs, none: 'As each browser requests it' },
  OIDC_ISSUER: { label: 'Single sign-on', text: asIs, none: 'None' },
  SMTP_URL: { label: 'Mail server', text: given },
  MAP_TILES_URL: { label: 'Map tiles', text: asIs, none: 'None' },
  MAP_PMTILES: { label: 'Street map of your own', text: given },
  TRUSTED_PROXIES: { label: 'Proxies in front of this server', text: asIs },
  CLIENT_REQUESTS_PER_S: { label: 'Requests from one address', text: rate, none: 'Without limit' },
  METRICS_TOKEN: { label: 'Token for metrics', text: given },
  LOG_LEVEL: { label: 'Log level', text: asIs },
};

export const startSettingText = (name: StartSetting, value: StartValue): { label: string; text: string } => {
  const { label, text, none = 'None' } = START_SETTING_FORMATS[name];
  return { label, text: value === null ? none : text(value) };
};

const answersText = (answers: number | undefined): string =>
  answers === undefined || answers === 1 ? '' : `${answers} answers`;

/** "2 minutes", "2 answers, then at once": how long until a flag is raised. */
export const enterText = ({ enterMs, enterAnswers }: Threshold): string =>
  [answersText(enterAnswers), exactDurationText(enterMs)].filter(Boolean).join(', then ');

/** How long until a flag is cleared, in the same form. */
export const leaveText = ({ leaveMs, leaveAnswers }: Threshold): string =>
  [answersText(leaveAnswers), exactDurationText(leaveMs)].filter(Boolean).join(', then ');

const THRESHOLD_NUMBERS = ['enterMs', 'leaveMs', 'enterAnswers', 'leaveAnswers'] as const;

export const isPreset = ({ threshold, preset }: FlagSetting): boolean =>
  THRESHOLD_NUMBERS.every((name) => threshold[name] === preset[name]);
