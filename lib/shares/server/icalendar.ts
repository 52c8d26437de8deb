import 'server-only';

/** An entry of a calendar, Unix ms. */
export interface CalendarEvent {
  /** Stays the same for as long as it is the same event. */
  uid: string;
  changedMs: number;
  fromMs: number;
  toMs: number;
  title: string;
  text: string;
  place: string;
  /** It has happened. */
  isSure: boolean;
}

const MOST_OCTETS = 75;

/** A text as RFC 5545, 3.3.11, writes it; other control characters are left out. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/\r\n?|\n|\u2028|\u2029/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

const toTime = (ms: number): string => `${new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/** A line in lines of at most 75 octets, none of which ends within a character (RFC 5545, 3.1). */
const fold = (line: string): string => {
  const lines: string[] = [];
  let [part, octets] = ['', 0];
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (octets + more > MOST_OCTETS) {
      lines.push(part);
      // The space that begins a line is one of its octets.
      [part, octets] = ['', 1];
    }
    part += character;
    octets += more;
  }
  return [...lines, part].join('\r\n ');
};

const toEventLines = (event: CalendarEvent): string[] => {
  const { uid, changedMs, fromMs, toMs, title, text, place, isSure } = event;
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${toTime(changedMs)}`,
    `LAST-MODIFIED:${toTime(changedMs)}`,
    `DTSTART:${toTime(fromMs)}`,
    // An event without an end lasts no time.
    ...(toMs - fromMs >= 1000 ? [`DTEND:${toTime(toMs)}`] : []),
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    `LOCATION:${escapeText(place)}`,
    `STATUS:${isSure ? 'CONFIRMED' : 'TENTATIVE'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
};

/** A calendar as a file of RFC 5545, with how often programs are to read it again (RFC 7986). */
export const toICalendar = (name: string, events: readonly CalendarEvent[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Linehaul//Expected arrivals//EN', 'CALSCALE:GREGORIAN'],
    ...[`NAME:${escapeText(name)}`, `X-WR-CALNAME:${escapeText(name)}`],
    ...['REFRESH-INTERVAL;VALUE=DURATION:PT15M', 'X-PUBLISHED-TTL:PT15M'],
    ...events.flatMap(toEventLines),
    'END:VCALENDAR',
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join('');
