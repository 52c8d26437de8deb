import { beforeEach, describe, expect, it } from 'vitest';
import { createTestStore } from '@/testing/service/store';
import { ingestRoutes } from '../../ingest/routes';
import { silentLog } from '../../log';
import { KEPT_PER_TOKEN } from './refusals';

const USDOT = '9000301';
const test = createTestStore();
let token: { id: string; token: string };

beforeEach(async () => {
  const { carriers, vehicles, ingestTokens } = test.store;
  await carriers.remove(USDOT);
  await carriers.upsert({ usdot: USDOT, companyName: 'Prairie Freight', companyId: 'P-1' });
  await vehicles.upsertMany([{ usdot: USDOT, vin: '1XKYD49X4KJ200001', deviceId: 'truck-7' }]);
  token = await ingestTokens.create({ usdot: USDOT, name: 'phones' });
});

const report = async (query: string): Promise<number> => {
  const app = ingestRoutes({ store: test.store, now: test.now, log: silentLog });
  app.onError((error, c) => c.text(error.message, 400));
  return (await app.request(`/${token.token}/osmand?${query}`)).status;
};

describe('refused reports', () => {
  it('are kept with their reason, time and unknown device, and accepted ones are not', async () => {
    expect(await report('id=truck-7&lat=41&lon=-93')).toBe(200);
    await report('id=truck-9&lat=41&lon=-93');
    test.nowMs += 5000;
    await report('id=truck-7&lat=141&lon=-93');
    expect(await test.store.refusals.list(USDOT)).toEqual([
      {
        tokenId: token.id,
        tokenName: 'phones',
        atMs: test.nowMs,
        protocol: 'osmand',
        code: 'invalid_input',
        detail: expect.stringContaining('lat') as string,
        deviceId: null,
      },
      expect.objectContaining({ atMs: test.nowMs - 5000, code: 'unknown_device', deviceId: 'truck-9' }),
    ]);
    expect(await test.store.refusals.list('9000302')).toEqual([]);
  });

  it('hold no secret that was put into a wrong field', async () => {
    await report(`id=${token.token}&lat=41&lon=-93`);
    await report(`id=truck-7&lat=${token.token}&lon=-93`);
    const kept = JSON.stringify(await test.store.refusals.list(USDOT));
    expect(kept).toContain('[hidden]');
    // A vehicle must not be given the redacted text as its device.
    expect((await test.store.refusals.list(USDOT)).map(({ deviceId }) => deviceId)).toEqual([null, null]);
    expect(kept).not.toContain(token.token.slice(0, 30));
  });

  it('are the last 100 of each token, and end with it', async () => {
    const other = await test.store.ingestTokens.create({ usdot: USDOT, name: 'trackers' });
    const note = (tokenId: string, detail: string) =>
      test.store.refusals.note({
        tokenId,
        protocol: 'osmand',
        code: 'invalid_input',
        detail,
        deviceId: null,
      });
    for (let i = 0; i < KEPT_PER_TOKEN; i++) note(token.id, `early ${i}`);
    await test.store.refusals.list(USDOT);
    for (let i = 0; i < 3; i++) note(token.id, `late ${i}`);
    note(other.id, 'of another token');
    note('a token that is gone', 'lost');
    const kept = await test.store.refusals.list(USDOT);
    expect(kept.filter(({ tokenId }) => tokenId === other.id)).toHaveLength(1);
    const details = kept.filter(({ tokenId }) => tokenId === token.id).map(({ detail }) => detail);
    expect(details).toHaveLength(KEPT_PER_TOKEN);
    expect(details.slice(0, 4)).toEqual(['late 2', 'late 1', 'late 0', `early ${KEPT_PER_TOKEN - 1}`]);
    expect(details).not.toContain('early 2');
  });
});
