const UTC = /^(Etc\/)?(UTC|UCT|GMT([+-]?0)?|Universal|Zulu|Greenwich)$/i;
const UTC_AT_END = /(UTC|GMT)(\+00?(:00)?)?$/;

const isUtc = (zone: string): boolean => UTC.test(zone);

/** A zone's name at a moment: "CST", of any moment "Central Time" or "CT". Browsers disagree about that of UTC. */
export const toZoneName = (
  zone: string,
  atMs: number,
  style: 'short' | 'shortGeneric' | 'longGeneric',
): string =>
  isUtc(zone)
    ? 'UTC'
    : (new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: style })
        .formatToParts(atMs)
        .find(({ type }) => type === 'timeZoneName')?.value ?? zone);

/** A formatted time that may end with the name of its zone, in which UTC has one name. */
export const withOneUtc = (text: string, zone: string): string =>
  isUtc(zone) ? text.replace(UTC_AT_END, 'UTC') : text;
