import { expect, it } from 'vitest';
import { formatExactTime, formatZonedMoment } from '@/lib/view/format';
import { toZoneName, withOneUtc } from './zone-name';

const AT_MS = Date.UTC(2026, 10, 20, 20);

it.each(['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT', 'Etc/GMT+0', 'Etc/UCT', 'Zulu'])('calls %s UTC', (zone) => {
  for (const style of ['short', 'shortGeneric', 'longGeneric'] as const)
    expect(toZoneName(zone, AT_MS, style)).toBe('UTC');
  expect(formatExactTime(AT_MS, AT_MS, zone)).toBe('8:00:00 PM UTC');
  expect(formatZonedMoment(AT_MS, AT_MS, zone)).toBe('8:00 PM UTC');
});

it.each(['UTC', 'GMT', 'GMT+0', 'GMT+00:00'])(
  'calls a time one of UTC that a browser ends with %s',
  (name) => {
    expect(withOneUtc(`8:00 PM ${name}`, 'Etc/UTC')).toBe('8:00 PM UTC');
  },
);

it('keeps the names of other zones, in London of a winter too', () => {
  expect(toZoneName('America/Chicago', AT_MS, 'short')).toBe('CST');
  expect(toZoneName('America/Chicago', AT_MS, 'shortGeneric')).toBe('CT');
  expect(toZoneName('America/Chicago', AT_MS, 'longGeneric')).toBe('Central Time');
  expect(formatZonedMoment(AT_MS, AT_MS, 'Europe/London')).toBe('8:00 PM GMT');
});
