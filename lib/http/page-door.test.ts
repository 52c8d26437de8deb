import { AppError } from '@/lib/http/problems';
import { afterAll, describe, expect, it } from 'vitest';
import { NONCE_HEADER, admitPage, toPageRefusal } from './page-door';

const before = { ...process.env };
Object.assign(process.env, {
  TRUSTED_PROXIES: '1',
  MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png',
});
afterAll(() => {
  process.env = before;
});

const POLICY_HEADER = 'content-security-policy';

const ask = (path: string, init: RequestInit = {}) =>
  admitPage(new Request(`http://127.0.0.1:3000${path}`, init));

const admit = (headers: Record<string, string> = {}) => {
  const admitted = ask('/status', { headers });
  if (admitted.refusal !== null) throw new Error(`Refused with ${admitted.refusal.status}.`);
  return admitted;
};

const refuse = async (path: string, init: RequestInit = {}) => {
  const { refusal } = ask(path, init);
  if (refusal === null) throw new Error('Admitted.');
  return { status: refusal.status, headers: refusal.headers, words: await refusal.text() };
};

describe('admitPage', () => {
  it('gives each answer a policy with a nonce of its own, which the page is told', () => {
    const nonces = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const { requestHeaders, answerHeaders } = admit();
      const nonce = requestHeaders.get(NONCE_HEADER) ?? '';
      expect(nonce).toMatch(/^[\w+/]{22}==$/);
      const policy = answerHeaders.get(POLICY_HEADER);
      expect(policy).toContain(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic';`);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("img-src 'self' data: blob: https://tiles.example;");
      // Next.js reads from it which nonce its own scripts are to bear.
      expect(requestHeaders.get(POLICY_HEADER)).toBe(policy);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('takes no nonce from who asks', () => {
    const forged = { [NONCE_HEADER]: 'known', [POLICY_HEADER]: "script-src 'nonce-known'" };
    const { requestHeaders } = admit(forged);
    expect(requestHeaders.get(NONCE_HEADER)).not.toBe('known');
    expect(requestHeaders.get(POLICY_HEADER)).not.toContain('known');
  });

  it('refuses in words what is too long, comes from another site or would write', async () => {
    expect(await refuse(`/status?${'x'.repeat(5000)}`)).toMatchObject({
      status: 414,
      words: 'No address of this server is that long.\n',
    });
    const post = (site: string) => ({ method: 'POST', headers: { 'sec-fetch-site': site } });
    expect(await refuse('/status', post('cross-site'))).toMatchObject({
      status: 403,
      words: 'Only pages of this server may ask for that.\n',
    });
    const { status, headers } = await refuse('/status', post('same-origin'));
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('tells a person how long to wait', async () => {
    const refusal = toPageRefusal(new AppError('too-many-requests', { retryAfterS: 7 }));
    expect([
      refusal.status,
      refusal.headers.get('retry-after'),
      refusal.headers.get('cache-control'),
    ]).toEqual([429, '7', 'no-store']);
    expect(await refusal.text()).toBe(
      'This network address asks for more than its share. Try again in 7 s.\n',
    );
  });

  it('answers GET and HEAD alone', async () => {
    for (const method of ['OPTIONS', 'DELETE']) {
      const { status, headers } = await refuse('/status', {
        method,
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect([status, headers.get('allow')], method).toEqual([405, 'GET, HEAD']);
    }
  });
});
