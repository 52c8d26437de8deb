import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toJsonResponse } from './json-response';

const accepting = (encoding: string) =>
  new Request('http://x.test', { headers: { 'accept-encoding': encoding } });
const LONG = { vins: Array.from({ length: 500 }, (_, i) => `1XKYD49X0KJ${String(i).padStart(6, '0')}`) };

describe('toJsonResponse', () => {
  it('compresses a long answer for who can read it', async () => {
    const response = await toJsonResponse(accepting('gzip, br'), LONG);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(bytes.length).toBeLessThan(JSON.stringify(LONG).length / 3);
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(LONG);
  });

  it('sends it plain to who cannot, and short answers to everybody', async () => {
    for (const [encoding, body] of [
      ['br', LONG],
      ['gzip', { ok: true }],
    ] as const) {
      const response = await toJsonResponse(accepting(encoding), body);
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(await response.json()).toEqual(body);
    }
  });

  it('lets no cache keep it', async () => {
    expect((await toJsonResponse(accepting(''), {})).headers.get('cache-control')).toBe('no-store');
  });
});
