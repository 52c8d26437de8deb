import { expect, it } from 'vitest';
import { INGEST_PROBLEMS } from '@/service/problem';
import { listUnknownDevices, refusalText } from './refusals';

const refuse = (deviceId: string | null, atMs: number) => ({
  deviceId,
  atMs,
  tokenName: 'phones',
  protocol: 'osmand',
  code: deviceId === null ? 'invalid_input' : 'unknown_device',
  detail: '',
});

it('lists each unknown device once, the newest first, until a vehicle has it', () => {
  const refusals = [refuse('b', 9), refuse(null, 8), refuse('a', 7), refuse('b', 6), refuse('c', 5)];
  expect(listUnknownDevices(refusals, [{ deviceId: 'c' }, { deviceId: null }])).toEqual([
    { deviceId: 'b', reports: 2, atMs: 9, tokenName: 'phones' },
    { deviceId: 'a', reports: 1, atMs: 7, tokenName: 'phones' },
  ]);
});

it('has a text for each reason that the list of refused reports may have', () => {
  const unlisted = ['missing_token', 'wrong_token', 'incomplete_body'];
  const codes = Object.keys(INGEST_PROBLEMS).filter((code) => !unlisted.includes(code));
  for (const code of codes) expect(refusalText(code), code).not.toBe(code);
  expect(refusalText('of a newer service')).toBe('of a newer service');
});
