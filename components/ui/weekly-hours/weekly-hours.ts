/** From Monday on, as ISO weekdays are numbered. */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** As many as the schema takes. */
export const MAX_LINES = 14;

/** Minutes after midnight for `<input type="time">`: "08:05"; the end of the day is "00:00". */
export const toTime = (minute: number): string => {
  const [hours, minutes] = [Math.floor(minute / 60) % 24, minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
};

/** The minutes after midnight of "08:05"; null while it is incomplete. */
export const toMinute = (time: string): number | null => {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
};

/** The time zones of most carriers, before all others. */
const US_ZONES: Readonly<Record<string, string>> = {
  'America/New_York': 'Eastern Time',
  'America/Chicago': 'Central Time',
  'America/Denver': 'Mountain Time',
  'America/Phoenix': 'Arizona (no daylight time)',
  'America/Los_Angeles': 'Pacific Time',
  'America/Anchorage': 'Alaska Time',
  'Pacific/Honolulu': 'Hawaii Time',
};

const toOption = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') });

/** The time zones to choose from, with the chosen one where the browser does not list it. */
export const toZoneOptions = (chosen: string) => {
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !(zone in US_ZONES));
  if (!(chosen in US_ZONES) && !others.includes(chosen)) others.unshift(chosen);
  return [
    { group: 'United States', items: Object.entries(US_ZONES).map(([value, label]) => ({ value, label })) },
    { group: 'Others', items: others.map(toOption) },
  ];
};

/** "2026-11-24T06:00": a moment as `<input type="datetime-local">` has it, in the browser's time zone. */
export const toLocalTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
