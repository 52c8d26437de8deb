import type { DocumentKind } from './content';

export const KIND_LABELS: Readonly<Record<DocumentKind, string>> = {
  'detention-statement': 'Detention statement',
  'position-certificate': 'Position certificate',
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment as documents write it, to the second and with its zone: "Sun, Nov 29, 2026, 6:04:12 PM CST". */
export const documentTimeText = (ms: number, zone = 'UTC'): string => {
  let format = formats.get(zone);
  format ??= new Intl.DateTimeFormat('en-US', {
    ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone: zone, timeZoneName: 'short' },
  });
  formats.set(zone, format);
  return format.format(ms).replaceAll('\u202f', ' ');
};
