import { PHASE_PRODUCTION_BUILD, PHASE_PRODUCTION_SERVER } from 'next/constants.js';
import { describe, expect, it } from 'vitest';
import toConfig from '../next.config.mjs';

/** The headers of answers whose address has this form. */
const readHeaders = async (
  source: string,
  phase = PHASE_PRODUCTION_BUILD,
): Promise<Record<string, string>> => {
  const rules = (await toConfig(phase).headers?.()) ?? [];
  const pairs = rules.filter((rule) => rule.source === source).flatMap(({ headers }) => headers);
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
};

describe('the headers of every answer', () => {
  it('say which site asks for tiles and no more, and let nobody guess types or frame a page', async () => {
    expect(await readHeaders('/:path*')).toMatchObject({
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('take from pages what a fleet map has no use for', async () => {
    const policy = (await readHeaders('/:path*'))['permissions-policy'] ?? '';
    for (const feature of ['camera', 'microphone', 'geolocation', 'display-capture', 'payment', 'usb'])
      expect(policy.split(', ')).toContain(`${feature}=()`);
  });

  it('let data load, run and be framed by nothing', async () => {
    expect(await readHeaders('/api/:path*')).toEqual({
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  });

  it('are the same where the build is served', async () => {
    for (const source of ['/:path*', '/api/:path*'])
      expect(await readHeaders(source, PHASE_PRODUCTION_SERVER)).toEqual(await readHeaders(source));
  });
});
