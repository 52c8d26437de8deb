import { describe, expect, it } from 'vitest';
import { STATE_COLUMNS, UNNAMED, type UnitIdentity } from './fleet';
import type { LiveAnswer } from './live';
import { fromLiveBytes, toLiveBytes } from './live-bytes';
import { ShapeError } from '@/lib/base/shape';

const NO_NAMES: UnitIdentity = { ...UNNAMED, key: 'truck:7' };

const toAnswer = (identities: UnitIdentity[]): LiveAnswer => ({
  usdot: '9000001',
  version: 'e.2',
  since: 'e.1',
  nowMs: 1,
  nextPollMs: 2,
  rows: 9,
  named: { rows: Int32Array.from(identities, () => 1), identities },
  removed: Int32Array.of(3),
  motion: { rows: Int32Array.of(0, 2), by: [1, 2, 3, 4, 5].map((by) => Int32Array.of(by, -by * 100_000)) },
  state: { rows: new Int32Array(0), by: STATE_COLUMNS.map(() => new Int32Array(0)) },
  feed: {
    fetchedAtMs: 1,
    staleSinceMs: null,
    problem: { kind: 'auth', message: 'refused', detail: '401', sinceMs: 1 },
    activeUnits: 9,
    rosterVins: null,
    droppedRecords: 0,
    nextAttemptAtMs: 1_772_000_060_000,
    repairedFields: 0,
    alertsRevision: 3,
  },
  account: null,
});

/** Lists arrive in arrays as narrow as their numbers; only the numbers are compared. */
const plain = (answer: LiveAnswer): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_, value) =>
      ArrayBuffer.isView(value) ? Array.from(value as Int32Array) : value,
    ),
  );

const named = (vins: (string | null)[]): UnitIdentity[] =>
  vins.map((vin, i) => ({ ...NO_NAMES, key: vin ?? `device:${i}`, vin }));

describe('a live answer in bytes', () => {
  it.each([
    ['names no unit', []],
    [
      'names units by VINs of every length',
      named(['1M8GDM9AXKP042788', '1M8GDM9AXKP042789', 'SHORT', '', null]),
    ],
    [
      'distinguishes no text from an empty one, and a number from its digits',
      [
        { ...NO_NAMES, make: '', truckNumber: '7', plateState: '' },
        { ...NO_NAMES, key: 'null', make: 'null', plateState: 'null', year: 1981 },
        {
          ...NO_NAMES,
          key: 'Ü "1"\n',
          model: 'Ü "1"\n',
          fuelType: 'Diesel',
          assetType: 'Van',
          deviceId: '0',
        },
      ],
    ],
    ['keeps a key that is not the VIN', [{ ...NO_NAMES, key: 'device:9', vin: '1M8GDM9AXKP042788' }]],
  ])('arrives as it was sent when it %s', (_, identities) => {
    const answer = toAnswer(identities);
    expect(plain(fromLiveBytes(toLiveBytes(answer)))).toEqual(plain(answer));
  });

  it('is refused when it is truncated anywhere, of another version or something else', () => {
    const bytes = toLiveBytes(toAnswer(named(['1M8GDM9AXKP042788'])));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => fromLiveBytes(bytes.subarray(0, length)), `${length} bytes`).toThrow();
    }
    const next = Buffer.from(bytes).toString('latin1').replace('"v":1', '"v":2');
    expect(() => fromLiveBytes(Buffer.from(next, 'latin1'))).toThrow(ShapeError);
    expect(() => fromLiveBytes(new TextEncoder().encode('<html><body>Bad gateway</body></html>'))).toThrow();
    expect(() => fromLiveBytes(new Uint8Array([...bytes, 0]))).toThrow(RangeError);
  });
});
