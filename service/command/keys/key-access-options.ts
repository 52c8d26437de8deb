import { ENDPOINTS, keyAccessSchema, type KeyAccess } from '../../store/credentials/key-access';
import { parseDuration, type Options } from '../arguments';
import { CommandUsageError } from '../command';
import { toMinute } from '../output';
import { DAY_MS } from '@/lib/base/time';

/** The options that set a key's access. */
export const ACCESS_OPTIONS = {
  endpoints: 'text',
  expires: 'text',
  from: 'text',
  'requests-per-minute': 'text',
} as const;

export const ACCESS_HELP = [
  `  --endpoints LIST           which it may use, of ${ENDPOINTS.join(', ')}; all unless given`,
  '  --expires WHEN             a day (2027-01-31, to its end in UTC), a time (2027-01-31T12:00Z) or a span (90d); never unless given',
  '  --from LIST                addresses it may be used from, such as 203.0.113.7,198.51.100.0/24; anywhere unless given',
  '  --requests-per-minute N    how many requests it may send; unlimited unless given',
];

const toList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** Whether a day is in the calendar: Date.parse takes the 30th of February for the 2nd of March. */
const isInCalendar = (day: string): boolean => {
  const atMs = Date.parse(day);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day);
};

const toExpiry = (text: string, nowMs: number): number => {
  const spanMs = parseDuration(text);
  if (spanMs !== null) return nowMs + spanMs;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  // A time without a zone would mean another moment on another machine.
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text);
  const atMs = (isDay || isTime) && isInCalendar(text.slice(0, 10)) ? Date.parse(text) : NaN;
  if (Number.isNaN(atMs)) {
    throw new CommandUsageError(
      `--expires is a day, a time with its zone, a span such as 90d, or never; got ${JSON.stringify(text)}.`,
    );
  }
  return isDay ? atMs + DAY_MS : atMs;
};

/** The typed access options over the key's present access. @throws CommandUsageError */
export const toKeyAccess = (
  options: Options<typeof ACCESS_OPTIONS>,
  held: KeyAccess | null,
  nowMs: number,
): KeyAccess => {
  const { endpoints, expires, from, 'requests-per-minute': requests } = options;
  const parsed = keyAccessSchema.safeParse({
    ...held,
    ...(endpoints !== undefined && { endpoints: endpoints === 'all' ? null : toList(endpoints) }),
    ...(expires !== undefined && { expiresAtMs: expires === 'never' ? null : toExpiry(expires, nowMs) }),
    ...(from !== undefined && { allowedNetworks: from === 'anywhere' ? null : toList(from) }),
    ...(requests !== undefined && { requestsPerMinute: requests === 'unlimited' ? null : Number(requests) }),
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new CommandUsageError(`--${OPTION_OF_FIELD[String(issue.path[0])]} ${issue.message}.`);
};

const OPTION_OF_FIELD: Record<string, keyof typeof ACCESS_OPTIONS> = {
  endpoints: 'endpoints',
  expiresAtMs: 'expires',
  allowedNetworks: 'from',
  requestsPerMinute: 'requests-per-minute',
};

/** A key's limits as text: "units, carrier · from 203.0.113.7/32 · 60 a minute · until 2027-01-31 00:00 UTC". */
export const toAccessText = ({
  endpoints,
  allowedNetworks,
  requestsPerMinute,
  expiresAtMs,
}: KeyAccess): string =>
  [
    endpoints?.join(', '),
    allowedNetworks && `from ${allowedNetworks.join(', ')}`,
    requestsPerMinute && `${requestsPerMinute} a minute`,
    expiresAtMs && `until ${toMinute(expiresAtMs)}`,
  ]
    .filter(Boolean)
    .join(' · ') || 'everything';
