import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after';
import { NOW_MS } from './testing/records';

describe('parseRetryAfter', () => {
  it('reads seconds', () => {
    expect(parseRetryAfter('120', NOW_MS)).toBe(120_000);
    expect(parseRetryAfter(' 0 ', NOW_MS)).toBe(0);
  });

  it('reads a date, and one that is past as no wait', () => {
    expect(parseRetryAfter('Sun, 01 Mar 2026 12:01:30 GMT', NOW_MS)).toBe(90_000);
    expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', NOW_MS)).toBe(0);
  });

  it('says nothing where the header does not', () => {
    for (const header of [null, '', 'soon', '-5', '1.5', 'Sun, 99 Mar 2026']) {
      expect(parseRetryAfter(header, NOW_MS), String(header)).toBeNull();
    }
  });
});
