import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { timeZoneSchema } from './zod';

const accepts = (zone: string): boolean => timeZoneSchema.safeParse(zone).success;

afterEach(() => vi.restoreAllMocks());

it('takes the time zones of the IANA list, old names included', () => {
  const old = [
    'US/Central',
    'US/Eastern',
    'America/Indianapolis',
    'Asia/Kolkata',
    'Navajo',
    'EST5EDT',
    'GB-Eire',
    ...['US/East-Indiana', 'America/Knox_IN', 'Australia/NSW', 'Brazil/DeNoronha', 'America/Port_of_Spain'],
    ...[
      'America/Argentina/ComodRivadavia',
      'Antarctica/South_Pole',
      'Etc/GMT+0',
      'Etc/UCT',
      'Mexico/BajaSur',
    ],
  ];
  for (const zone of [...Intl.supportedValuesOf('timeZone'), ...old, 'UTC', 'Etc/UTC', 'Etc/GMT+5', 'GMT'])
    expect(accepts(zone), zone).toBe(true);
});

it('takes no abbreviation, alias or other case that the runtime alone knows, and nothing unknown', () => {
  const others = ['CST', 'PST', 'ACT', 'BST', 'SystemV/CST6CDT', 'utc', 'america/chicago', 'America/CHICAGO'];
  others.push('US/CENTRAL', 'US/CeNTRAL', 'America/FORT_WAYNE', 'Asia/HARBIN', 'Etc/gmt+5', 'Canada/eastern');
  for (const zone of [...others, '', 'Mars/Base', 'America/', 'America/Nowhere', 'Factory', 'Etc/Unknown'])
    expect(accepts(zone), zone).toBe(false);
});

it('takes no offset, also where the runtime takes all 2,880', () => {
  // As newer versions of Node.js do.
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function () {
    return { resolvedOptions: () => ({ timeZone: 'UTC' }) };
  } as never);
  const offset = fc
    .tuple(
      fc.constantFrom('+', '-', '\u2212', 'UTC+', 'UTC-', 'GMT+', 'GMT-', 'Etc/+', ''),
      fc.nat(23),
      fc.nat(59),
      fc.constantFrom('', ':'),
    )
    .map(([sign, hours, minutes, colon]) =>
      [sign, String(hours).padStart(2, '0'), colon, String(minutes).padStart(2, '0')].join(''),
    );
  fc.assert(fc.property(offset, (zone) => !accepts(zone)));
  for (const zone of ['+05', '-06', '+00']) expect(accepts(zone), zone).toBe(false);
});
