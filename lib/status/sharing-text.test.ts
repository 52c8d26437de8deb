import { describe, expect, it } from 'vitest';
import type { SharingServerStatus } from './schema';
import { sharingFleetsText, sharingProblemText, sharingStateText, statedDelayText } from './text';

const REPORT = { name: 'one:3000', app: '0.1.0', build: 'b1', uptimeMs: 5000, lagMs: 20, echoMs: 2 };
const THIS: SharingServerStatus = {
  ...{ id: 'a', isThis: true, silentMs: 0, fleets: 2, usdots: ['1', '2'], report: REPORT },
};
const OTHER = { ...THIS, id: 'b', isThis: false, silentMs: 900 };
const SILENT = { ...OTHER, silentMs: 35_000 };

describe('the state of a server', () => {
  it('says whether it shares in the work, and for how long it has not', () => {
    expect(sharingStateText(OTHER, { redisAwayMs: null })).toEqual({ text: 'Connected', isBroken: false });
    expect(sharingStateText(SILENT, { redisAwayMs: null })).toEqual({
      text: 'No heartbeat for 35 s',
      isBroken: true,
    });
  });

  it('says of a server without Redis that it has none, and of the others how old their state is', () => {
    const sharing = { redisAwayMs: 34_000 };
    expect(sharingStateText(THIS, sharing)).toEqual({ text: 'No Redis for 34 s', isBroken: true });
    expect(sharingStateText(SILENT, sharing)).toEqual({ text: 'As of 35 s ago', isBroken: false });
  });
});

it('says why the servers need a look, and nothing while they do not', () => {
  expect(sharingProblemText({ redisAwayMs: null, servers: [THIS, OTHER] })).toBeNull();
  expect(sharingProblemText({ redisAwayMs: null, servers: [THIS, OTHER, SILENT] })).toBe(
    '1 of 3 servers gives no heartbeat: the others poll its fleets.',
  );
  expect(sharingProblemText({ redisAwayMs: 4000, servers: [THIS, SILENT] })).toContain('cannot reach Redis');
});

it('names the first fleets of a server', () => {
  expect(sharingFleetsText(THIS)).toBe('USDOT 1, 2');
  const usdots = Array.from({ length: 1200 }, (_, i) => String(i));
  expect(sharingFleetsText({ ...THIS, usdots })).toBe('USDOT 0, 1, 2, 3, 4, 5, 6, 7 and 1,192 more');
  expect(sharingFleetsText({ ...THIS, usdots: [] })).toBeNull();
});

it('writes delays with a digit where it matters, and none that is not known now', () => {
  const textOf = (lagMs: number | null, silentMs = 0) =>
    statedDelayText({ ...OTHER, silentMs, report: { ...REPORT, lagMs } }, 'lagMs');
  expect([3, 430, 12_400, 180_000].map((ms) => textOf(ms))).toEqual(['3 ms', '0.4 s', '12 s', '3 min']);
  expect([textOf(null), textOf(3, 35_000)]).toEqual(['Not known', 'Not known']);
});
