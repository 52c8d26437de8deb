import { expect, it } from 'vitest';
import { recordedText } from './recorded-text';

const HOUR_MS = 3_600_000;
const moment = () => 'Nov 27, 2:15 AM';

it.each([
  [168, 168, 'in the last 7 days'],
  // A poll before the first is missing.
  [168, 167.5, 'in the last 7 days'],
  [48, 48, 'in the 2 days recorded since Nov 27, 2:15 AM'],
  [90, 90, 'in the 3.8 days recorded since Nov 27, 2:15 AM'],
  [24, 24, 'in the day recorded since Nov 27, 2:15 AM'],
  [1.6, 1.6, 'in the 2 hours recorded since Nov 27, 2:15 AM'],
  [0.2, 0.2, 'in the hour recorded since Nov 27, 2:15 AM'],
  // The server was off for most of the week.
  [168, 50, 'in the 2.1 days recorded since Nov 27, 2:15 AM'],
])('of %s h that are looked through, %s h are recorded: %s', (hours, recorded, text) => {
  const preview = { fromMs: 0, toMs: hours * HOUR_MS, recordedMs: recorded * HOUR_MS };
  expect(recordedText(preview, moment)).toBe(text);
});
