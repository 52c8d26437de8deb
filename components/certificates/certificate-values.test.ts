import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '@/lib/base/time';
import { certificateInputSchema } from '@/lib/proof/certificate';
import { toCertificateInput, toFirstValues, toRangeStart } from './certificate-values';

const ZONE = 'America/Chicago';
const NOW_MS = Date.parse('2026-11-29T20:10:05.400Z');
const read = (range: { fromMs: number; toMs: number } | null, nowMs = NOW_MS) =>
  toCertificateInput(toFirstValues(range, nowMs, ZONE), 'T1', ZONE);

it('offers the present moment, or as much of a range as has come, in whole seconds', () => {
  const lastMs = Date.parse('2026-11-29T20:10:04Z');
  expect(read(null)).toMatchObject({ unit: 'T1', fromMs: lastMs, toMs: lastMs, isShownByNumber: false });
  const day = { fromMs: Date.parse('2026-11-29T06:00:00Z'), toMs: Date.parse('2026-11-30T06:00:00Z') };
  expect(read(day)).toMatchObject({ fromMs: day.fromMs, toMs: lastMs });
  expect(read(day, NOW_MS + 2 * DAY_MS)).toMatchObject(day);
  // Of several days the last one.
  const week = { fromMs: day.toMs - 7 * DAY_MS, toMs: day.toMs };
  expect(read(week, NOW_MS + 2 * DAY_MS)).toMatchObject({ fromMs: day.toMs - DAY_MS, toMs: day.toMs });
});

it('offers all of a day of 25 hours', () => {
  const day = { fromMs: Date.parse('2026-11-01T05:00:00Z'), toMs: Date.parse('2026-11-02T06:00:00Z') };
  expect(day.toMs - day.fromMs).toBe(25 * HOUR_MS);
  const input = read(day);
  expect(input).toMatchObject(day);
  expect(certificateInputSchema.safeParse(input).success).toBe(true);
});

it('offers the day up to a moment as a range, and leaves one that was typed', () => {
  const first = toFirstValues(null, NOW_MS, ZONE);
  expect(toRangeStart(first, ZONE)).toBe('2026-11-28T14:10:04');
  expect(toRangeStart({ ...first, fromMs: '2026-11-29T10:00:00' }, ZONE)).toBe('2026-11-29T10:00:00');
  expect(toRangeStart({ ...first, fromMs: '', toMs: '' }, ZONE)).toBe('');
});

it('says which time is missing', () => {
  const values = { ...toFirstValues(null, NOW_MS, ZONE), fromMs: '' };
  const { error } = certificateInputSchema.safeParse(toCertificateInput(values, 'T1', ZONE));
  expect(error!.issues[0]).toMatchObject({ path: ['fromMs'], message: 'Choose a time.' });
});
