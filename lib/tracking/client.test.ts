import { clockOf } from '@/testing/clock';
import { describe, expect, it } from 'vitest';
import { createTrackingClient } from './client';
import { DEFAULT_ANSWER_LIMITS } from './limits';
import { NOW_MS, createRecord, without } from '@/testing/tracking/records';

const OTHER_VIN = '11111111111111112';

/** A client whose provider gives a test's answers, by path. */
const createClient = (answer: (path: string, request: Request) => unknown, now = () => NOW_MS) =>
  createTrackingClient({
    fetch: async (request) => {
      const answered = answer(new URL(request.url).pathname, request);
      return answered instanceof Response ? answered : Response.json(answered);
    },
    baseUrl: 'http://provider.example',
    credentials: { apiKey: 'key', providerToken: 'token' },
    clock: clockOf(now),
    limits: DEFAULT_ANSWER_LIMITS,
  });

describe('readUnits', () => {
  it('keeps every good unit of an answer that holds bad ones, and reports the rest', async () => {
    const client = createClient(() => ({
      units: [null, createRecord(), 'x', createRecord({ vin: OTHER_VIN })],
    }));
    const { units, report, answeredAtMs } = await client.readUnits('9000001');
    expect(units.map(({ identity }) => identity.key)).toEqual(['1M8GDM9AXKP042788', OTHER_VIN]);
    expect(report).toMatchObject({ dropped: 2, repaired: 0 });
    expect(answeredAtMs).toBe(NOW_MS);
  });

  it('accepts a bare list of units as the answer, and counts it as repaired', async () => {
    const { units, report } = await createClient(() => [createRecord()]).readUnits('9000001');
    expect(units).toHaveLength(1);
    expect(report).toEqual({
      dropped: 0,
      repaired: 1,
      examples: ['units: got "a bare list", read as "the list of units"'],
    });
  });

  it('has no units where none is active', async () => {
    expect((await createClient(() => ({ units: [] })).readUnits('9000001')).units).toEqual([]);
  });

  it('refuses an answer without a list of units, with the type that it got and the one that it expected', async () => {
    const cases: [unknown, string][] = [
      [
        { page: 1, data: [] },
        'got an object of "page, data" when an object with a list of units is expected',
      ],
      [{ units: null }, 'got an object of "units" when'],
      [null, 'got null when'],
      ['', 'got "" when'],
    ];
    for (const [body, words] of cases) {
      const refusal = expect(createClient(() => Response.json(body)).readUnits('9000001')).rejects;
      await refusal.toMatchObject({ kind: 'shape' });
      await expect(createClient(() => Response.json(body)).readUnits('9000001')).rejects.toThrow(words);
    }
  });

  it('refuses an answer whose own content is an error, is empty or is another fleet’s', async () => {
    const cases = [
      [{ error: 'store down', units: [] }, 'errorInside'],
      [{ units: [null, {}, 'x'] }, 'unusable'],
      [{ usdot: '9000002', units: [createRecord()] }, 'mismatch'],
    ] as const;
    for (const [body, refusal] of cases)
      await expect(createClient(() => body).readUnits('9000001')).rejects.toMatchObject({ kind: refusal });
  });

  it('counts the records that no field identifies, but not those of one unit twice', async () => {
    const units = [createRecord(), createRecord(), null, {}];
    const answer = await createClient(() => ({ units })).readUnits('9000001');
    expect(answer).toMatchObject({ unreadable: 2, report: { dropped: 3 } });
  });

  it('reads a fleet of more than one slice in full and in order', async () => {
    const records = Array.from({ length: 4500 }, (_, i) => ({ deviceId: `d${i}` }));
    const { units } = await createClient(() => ({ units: records })).readUnits('9000001');
    expect(units).toHaveLength(4500);
    expect(units[4499]?.identity.key).toBe('device:d4499');
  });

  it('keeps the last answer when the provider answers that it still holds', async () => {
    let nowMs = NOW_MS;
    const requested: (string | null)[] = [];
    const client = createClient(
      (_, request) => {
        requested.push(request.headers.get('if-none-match'));
        return requested.length === 1
          ? Response.json({ units: [createRecord()] }, { headers: { etag: '"v1"' } })
          : new Response(null, { status: 304 });
      },
      () => nowMs,
    );
    const first = await client.readUnits('9000001');
    nowMs += 10_000;
    expect(await client.readUnits('9000001')).toEqual({ ...first, answeredAtMs: nowMs });
    expect(requested).toEqual([null, '"v1"']);
  });

  it('holds the answers of different fleets apart', async () => {
    const requested: string[] = [];
    const client = createClient((path, request) => {
      requested.push(`${path} ${request.headers.get('if-none-match')}`);
      return Response.json({ units: [] }, { headers: { etag: `"${path}"` } });
    });
    for (const usdot of ['1', '2', '1']) await client.readUnits(usdot);
    expect(requested).toEqual(['/api/units/1 null', '/api/units/2 null', '/api/units/1 "/api/units/1"']);
  });

  it('requests an answer again that has a fix from the future, which time may correct', async () => {
    const requested: (string | null)[] = [];
    const client = createClient((_, request) => {
      requested.push(request.headers.get('if-none-match'));
      const future = createRecord({ timestamp: null, unixTimestamp: NOW_MS / 1000 + 600 });
      return Response.json({ units: [future] }, { headers: { etag: '"v1"' } });
    });
    await client.readUnits('9000001');
    await client.readUnits('9000001');
    expect(requested).toEqual([null, null]);
  });
});

describe('readUnit', () => {
  it('reads the unit of a VIN', async () => {
    const client = createClient((path) =>
      path.endsWith('/9000001/1M8GDM9AXKP042788') ? createRecord() : null,
    );
    const unit = await client.readUnit('9000001', '1M8GDM9AXKP042788');
    expect(unit.identity.truckNumber).toBe('4107');
  });

  it('fills in the requested VIN where the answer leaves it out', async () => {
    const client = createClient(() => without(createRecord(), 'vin'));
    const { identity } = await client.readUnit('9000001', '1M8GDM9AXKP042788');
    expect(identity).toMatchObject({ key: '1M8GDM9AXKP042788', vin: '1M8GDM9AXKP042788' });
  });

  it('refuses the unit of another VIN', async () => {
    const client = createClient(() => createRecord({ vin: OTHER_VIN }));
    const requested = client.readUnit('9000001', '1M8GDM9AXKP042788');
    await expect(requested).rejects.toMatchObject({ kind: 'mismatch' });
    await expect(requested).rejects.toThrow(`got the unit "${OTHER_VIN}" when 1M8GDM9AXKP042788 is expected`);
  });

  it('refuses what is not a unit', async () => {
    for (const body of [[], {}, 'x']) {
      await expect(createClient(() => Response.json(body)).readUnit('1', OTHER_VIN)).rejects.toMatchObject({
        kind: 'shape',
      });
    }
  });
});

describe('readVins', () => {
  it('refuses what is not a list', async () => {
    await expect(createClient(() => ({ vins: [] })).readVins('1')).rejects.toThrow(
      'when a list of VINs is expected',
    );
  });

  it('refuses a list of which most is no VIN, so that it is not taken for a short roster', async () => {
    const unreadable = [
      [null, null],
      ['N/A', 'N/A', OTHER_VIN],
      [{ id: 1 }, 7],
    ];
    for (const list of unreadable)
      await expect(createClient(() => list).readVins('1')).rejects.toThrow('are no VIN');
    expect((await createClient(() => [OTHER_VIN, null]).readVins('1')).vins).toEqual([OTHER_VIN]);
  });
});

describe('readAccount', () => {
  it('reads the account, also with its numbers as numbers', async () => {
    const client = createClient(() => ({ companyName: ' Prairie Star ', companyId: 12, usdot: 9000001 }));
    expect(await client.readAccount()).toEqual({
      companyName: 'Prairie Star',
      companyId: '12',
      usdot: '9000001',
    });
  });

  it('calls an account without a name by its number', async () => {
    const client = createClient(() => ({ companyName: null, usdot: '0009000001' }));
    expect(await client.readAccount()).toEqual({
      companyName: 'USDOT 9000001',
      companyId: '',
      usdot: '9000001',
    });
  });

  it('refuses an account without a USDOT number', async () => {
    for (const body of [{ companyName: 'x' }, { usdot: ' ' }, { usdot: 0 }, { usdot: 'n/a' }, [], null]) {
      const client = createClient(() => Response.json(body));
      await expect(client.readAccount(), JSON.stringify(body)).rejects.toMatchObject({ kind: 'shape' });
    }
  });
});

describe('readCarrier', () => {
  it('reads both numbers under the names of the contract', async () => {
    const client = createClient(() => ({ mcNumber: 'MC-990001', usDotNumber: '9000001' }));
    expect(await client.readCarrier(OTHER_VIN)).toEqual({ mcNumber: 'MC-990001', usdot: '9000001' });
  });

  it('reads a USDOT number with its name before it, and has null for a text that is no number', async () => {
    const usdotOf = async (usDotNumber: unknown) =>
      (await createClient(() => ({ mcNumber: 'MC-990001', usDotNumber })).readCarrier(OTHER_VIN)).usdot;
    for (const text of ['USDOT 1000007', 'US DOT #1000007', 'DOT-1000007', '0001000007', 1000007])
      expect(await usdotOf(text), String(text)).toBe('1000007');
    for (const text of ['0', 0, '00', 'N/A', 'none', 'Prairie Star', 'USDOT'])
      expect(await usdotOf(text), String(text)).toBeNull();
  });

  it('has null for what the provider does not know', async () => {
    expect(await createClient(() => ({ mcNumber: '' })).readCarrier(OTHER_VIN)).toEqual({
      mcNumber: null,
      usdot: null,
    });
  });
});
