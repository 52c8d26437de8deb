const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format costs far more than using it. */
const formatOf = (zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const name = `${zone ?? ''} ${Object.keys(options).join()}`;
  const known = formats.get(name);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { hourCycle: 'h23', timeZone: zone, ...options });
  formats.set(name, made);
  return made;
};

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
const TIME_AND_ZONE: Intl.DateTimeFormatOptions = { ...TIME, timeZoneName: 'short' };
const MINUTES: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
const DATE: Intl.DateTimeFormatOptions = { ...DAY, year: 'numeric' };

/** "14:03:10" in a zone (an IANA name; the viewer's own when left out). */
export const clockWords = (ms: number, zone?: string): string => formatOf(zone, TIME).format(ms);

/** The day is left out if it is today: "14:03", "Nov 20, 14:03". */
export const momentWords = (ms: number, nowMs: number, zone?: string): string => {
  const time = formatOf(zone, MINUTES).format(ms);
  return isSameDay(ms, nowMs, zone) ? time : `${formatOf(zone, DAY).format(ms)}, ${time}`;
};

/** To the second, with its zone: "14:07:31 CST", "Nov 20, 14:07:31 CST". */
export const exactWords = (ms: number, nowMs: number, zone?: string): string => {
  const time = formatOf(zone, TIME_AND_ZONE).format(ms);
  return isSameDay(ms, nowMs, zone) ? time : `${formatOf(zone, DAY).format(ms)}, ${time}`;
};

const isSameDay = (a: number, b: number, zone?: string): boolean =>
  formatOf(zone, DATE).format(a) === formatOf(zone, DATE).format(b);
