import { getOrMake } from '@/lib/base/maps';
import { fold } from '@/lib/base/text/text';
import type { DocumentKind } from './content';
import type { DocumentRow } from './schema';

export const KIND_LABELS: Readonly<Record<DocumentKind, string>> = {
  'detention-statement': 'Detention statement',
  'position-certificate': 'Position certificate',
};

/** A docket number as providers write it, with or without its letters: "MC-990001". */
export const mcText = (mc: string): string => (/^\d/.test(mc) ? `MC-${mc}` : mc);

const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment as documents write it, to the second and with its zone: "Sun, Nov 29, 2026, 6:04:12 PM CST". */
export const documentTimeText = (ms: number, zone = 'UTC', locale = 'en-US'): string => {
  const format = getOrMake(
    formats,
    `${locale} ${zone}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
        ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone: zone, timeZoneName: 'short' },
      }),
  );
  return format.format(ms).replaceAll('\u202f', ' ');
};

/** The same in a table, without the day of the week: "Nov 29, 2026, 6:04:12 PM CST". */
export const cellTimeText = (ms: number, zone: string): string =>
  documentTimeText(ms, zone).replace(/^\w+, /, '');

export const KIND_PLURALS: Readonly<Record<DocumentKind, string>> = {
  'detention-statement': 'Statements',
  'position-certificate': 'Certificates',
};

/** The documents that a search finds by number, subject, kind or maker. */
export const findDocuments = (rows: readonly DocumentRow[], find: string): readonly DocumentRow[] => {
  const words = fold(find)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  return rows.filter(({ number, about, kind, madeBy }) => {
    const text = fold(`${number} ${number.replaceAll('-', '')} ${about} ${KIND_LABELS[kind]} ${madeBy}`);
    return words.every((word) => text.includes(word));
  });
};
