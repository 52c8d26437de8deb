import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/base/http/problems';
import { UNKNOWN_CONTEXT } from '@/server/runtime';
import { isPage, openPage, toPageRefusal } from './pages';

const POLICY_HEADER = 'content-security-policy';
const TILES = { tilesUrl: 'https://tiles.example/{z}/{x}/{y}.png', isDevelopment: false };

const open = (method: string, headers: Record<string, string> = {}) => {
  const context = { ...UNKNOWN_CONTEXT };
  const answer = new Map<string, unknown>();
  const response = { setHeader: (name: string, value: unknown) => answer.set(name, value) };
  const refusal = openPage({ method, headers }, response as never, context, TILES);
  return { refusal, context, requestHeaders: headers, policy: String(answer.get(POLICY_HEADER)) };
};

describe('openPage', () => {
  it('gives each answer a policy with its own nonce, which Next.js reads from the request', () => {
    const nonces = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const { context, policy, requestHeaders } = open('GET');
      expect(context.nonce).toMatch(/^[\w+/]{22}==$/);
      expect(policy).toContain(`script-src 'self' 'nonce-${context.nonce}' 'strict-dynamic';`);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("img-src 'self' data: blob: https://tiles.example;");
      expect(requestHeaders[POLICY_HEADER]).toBe(policy);
      nonces.add(context.nonce ?? '');
    }
    expect(nonces.size).toBe(3);
  });

  it('ignores a nonce of the client', () => {
    const { context, requestHeaders } = open('GET', { [POLICY_HEADER]: "script-src 'nonce-known'" });
    expect(context.nonce).not.toBe('known');
    expect(requestHeaders[POLICY_HEADER]).not.toContain('known');
  });

  it('answers only GET and HEAD', () => {
    expect(open('HEAD').refusal).toBeNull();
    for (const method of ['POST', 'OPTIONS', 'DELETE']) {
      const { refusal } = open(method);
      expect([refusal?.status, refusal?.headers.get('allow')], method).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('isPage', () => {
  it('is false for route handlers and files', () => {
    for (const path of [
      '/api/health',
      '/tracking/docs',
      '/metrics',
      '/_next/x.js',
      '/basemap/x',
      '/icon.svg',
      '/apple-icon.png',
      '/icons/192.png',
      '/manifest.webmanifest',
      '/service-worker.js',
      '/d/7K3M-92QX-4HTD?as=pdf',
      '/verify',
      '/verify?number=1',
      '/.well-known/linehaul-proof-keys.json',
    ])
      expect(isPage(path), path).toBe(false);
    for (const path of [
      '/',
      '/status?x=1',
      '/metricsx',
      '/apix',
      '/fleets/1/live',
      '/%61pi/x',
      '/service-worker.json',
      '/verifyx',
      '/devices',
    ])
      expect(isPage(path), path).toBe(true);
  });
});

describe('toPageRefusal', () => {
  it('shows a person how long to wait', async () => {
    const refusal = toPageRefusal(new AppError('too-many-requests', { retryAfterS: 7 }));
    expect([
      refusal.status,
      refusal.headers.get('retry-after'),
      refusal.headers.get('cache-control'),
    ]).toEqual([429, '7', 'no-store']);
    expect(await refusal.text()).toBe('This network address sends too many requests. Try again in 7 s.\n');
  });
});
