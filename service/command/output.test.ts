import { describe, expect, it } from 'vitest';
import { createService } from '../service';
import { createTestStore } from '../../testing/service/store';
import { CARRIER, toVehicle } from '../../testing/service/vehicles';
import { createServiceLog } from './command';

const test = createTestStore();

const setUp = () => {
  const lines: string[] = [];
  const log = createServiceLog({
    databaseUrl: '',
    now: test.now,
    stdout: () => undefined,
    stderr: (line) => void lines.push(line),
    signal: new AbortController().signal,
    env: { LOG_LEVEL: 'debug' },
  });
  return { log, lines };
};

const SECRET = 'lh_ingest_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

describe('createServiceLog', () => {
  it('redacts credentials from messages, errors, causes, nested objects and URLs', () => {
    const { log, lines } = setUp();
    const cause = new Error(`cause ${SECRET}`);
    const error = new Error(`failed at http://h/ingest/${SECRET}/osmand`, { cause });
    log.error({ err: error, stack: error.stack, a: { b: [{ c: SECRET, [SECRET]: 1 }] } }, `with ${SECRET}`);
    log.warn(
      { url: `http://h/?token=${SECRET.replaceAll('_', '%5F')}`, cut: `${SECRET.slice(0, 40)}…` },
      'x',
    );
    const encoded = Buffer.from(SECRET).toString('base64');
    log.warn({ encoded, url: `http://h/?token=${Buffer.from(SECRET).toString('base64url')}` }, 'x');
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toMatch(/0123456789/);
    expect(lines[2]).not.toContain(encoded.slice(0, 12));
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'with [hidden]', a: { b: [{ c: '[hidden]' }] } });
  });

  it('redacts the token that a report holds where its parser quotes it', async () => {
    const { log, lines } = setUp();
    await test.store.carriers.upsert(CARRIER);
    await test.store.vehicles.upsertMany([toVehicle(1)]);
    const { token } = await test.store.ingestTokens.create({ usdot: CARRIER.usdot, name: 'phones' });
    const service = createService({ store: test.store, now: test.now, log });
    const report = (query: string) =>
      service.fetch(new Request(`http://service/ingest/${token}/osmand?${query}`));
    const body = (text: string) =>
      service.fetch(new Request(`http://service/ingest/${token}/traccar`, { method: 'POST', body: text }));
    const responses = [
      await report(`id=${token}&lat=1&lon=1`),
      await report(`id=device-1&lat=${token}&lon=1`),
      await report(`id=device-1&lat=1&lon=1&timestamp=xx${token}`),
      await body(token),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 400, 400, 400]);
    expect(lines.filter((line) => line.includes('Report refused.'))).toHaveLength(4);
    expect(lines.join()).not.toContain('lh_');
  });
});
