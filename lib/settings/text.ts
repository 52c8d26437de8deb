import type { FlagSetting, StartSetting, StartValue, Threshold } from './schema';
import { exactDurationWords } from './exact-duration';
import { countWords } from '../view/numbers';

interface SettingWords {
  label: string;
  /** The text for a value. */
  words: (value: Exclude<StartValue, null>) => string;
  /** The text if there is no value. */
  none?: string;
}

const asIs = String;
const duration = (value: StartValue): string => exactDurationWords(Number(value));
const durationIn = (unitMs: number) => (value: StartValue) => exactDurationWords(Number(value) * unitMs);
const rate = (value: StartValue): string => `${countWords(Number(value), 'request')} a second`;
const given = (value: StartValue): string => (value === true ? 'Given' : 'Not given');

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The label of each start setting, and the meaning of its value. */
const START_SETTING_WORDS: Record<StartSetting, SettingWords> = {
  TRACKING_BASE_URL: { label: 'Tracking API', words: asIs, none: 'The service inside this server' },
  POLL_INTERVAL_MS: { label: 'A fleet is asked for every', words: duration },
  CARRIER_LOOKUPS_PER_MIN: {
    label: 'Carriers of VINs looked up',
    words: (value) => `${Number(value).toLocaleString('en-US')} a minute`,
    none: 'None in the background',
  },
  TRACKING_TIMEOUT_MS: { label: 'An answer may take', words: duration },
  TRACKING_MAX_ANSWER_MB: { label: 'An answer may be', words: (value) => `${value} MB` },
  TRACKING_MAX_BACKOFF_MS: { label: 'A failing provider is asked again within', words: duration },
  TRACKING_MAX_RETRY_AFTER_MS: { label: 'A provider may ask for a pause of', words: duration },
  TRACKING_DOUBT_HOLD_MS: { label: 'A doubtful answer is held for', words: duration },
  TRACKING_PAGE_CALLS_PER_S: {
    label: 'Pages may have the provider asked',
    words: rate,
    none: 'Without limit',
  },
  ACTIVE_WINDOW_MIN: {
    label: 'A unit is active after a fix for',
    words: durationIn(MINUTE_MS),
    none: 'As the provider says',
  },
  FIX_RETENTION_DAYS: {
    label: 'Fixes are kept for',
    words: durationIn(DAY_MS),
    none: 'As the provider says',
  },
  ACCOUNTS: {
    label: 'Signing in',
    words: (value) => (value === 'demo' ? 'Nobody needs to, on this machine' : 'Everybody needs to'),
  },
  PUBLIC_URL: { label: 'Address of this server', words: asIs, none: 'As each browser asks' },
  OIDC_ISSUER: { label: 'Company sign-on', words: asIs, none: 'None' },
  SMTP_URL: { label: 'Mail server', words: given },
  MAP_TILES_URL: { label: 'Map tiles', words: asIs, none: 'None: the built-in map alone' },
  TRUSTED_PROXIES: { label: 'Proxies before this server', words: asIs },
  CLIENT_REQUESTS_PER_S: { label: 'One address may ask', words: rate, none: 'Without limit' },
  METRICS_TOKEN: { label: 'Token for metrics', words: given },
  LOG_LEVEL: { label: 'Logged from', words: asIs },
};

/** The label and text of a start setting. */
export const startSettingWords = (
  name: StartSetting,
  value: StartValue,
): { label: string; words: string } => {
  const { label, words, none = 'None' } = START_SETTING_WORDS[name];
  return { label, words: value === null ? none : words(value) };
};

const answersWords = (answers: number | undefined): string =>
  answers === undefined || answers === 1 ? '' : `${answers} answers`;

/** "2 minutes", "2 answers, then at once": how long until a flag is raised. */
export const enterWords = ({ enterMs, enterAnswers }: Threshold): string =>
  [answersWords(enterAnswers), exactDurationWords(enterMs)].filter(Boolean).join(', then ');

/** How long until a flag is cleared, in the same form. */
export const leaveWords = ({ leaveMs, leaveAnswers }: Threshold): string =>
  [answersWords(leaveAnswers), exactDurationWords(leaveMs)].filter(Boolean).join(', then ');

const THRESHOLD_NUMBERS = ['enterMs', 'leaveMs', 'enterAnswers', 'leaveAnswers'] as const;

/** Whether a flag's threshold equals its preset. */
export const isPreset = ({ threshold, preset }: FlagSetting): boolean =>
  THRESHOLD_NUMBERS.every((name) => threshold[name] === preset[name]);
