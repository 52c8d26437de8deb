import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '@/lib/tracking/http/transport';
import { NOW_MS } from '@/testing/tracking/records';

describe('parseRetryAfter', () => {
  it('reads seconds', () => {
    expect(parseRetryAfter('120', NOW_MS)).toBe(120_000);
    expect(parseRetryAfter(' 0 ', NOW_MS)).toBe(0);
  });

  it('reads a date, and a past one as no wait', () => {
    expect(parseRetryAfter('Sun, 01 Mar 2026 12:01:30 GMT', NOW_MS)).toBe(90_000);
    expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', NOW_MS)).toBe(0);
  });

  it('is null where the header has neither', () => {
    for (const header of [null, '', 'soon', '-5', '1.5', 'Sun, 99 Mar 2026']) {
      expect(parseRetryAfter(header, NOW_MS), String(header)).toBeNull();
    }
  });

  it('gives a finite wait that is not negative, or null, for any header', () => {
    const header = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.stringMatching(/^\d{1,400}$/),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.stringMatching(/^[A-Z][a-z]{2},? [\d: -]{0,20}(GMT)?$/),
    );
    fc.assert(
      fc.property(header, (text) => {
        const waitMs = parseRetryAfter(text, NOW_MS);
        if (waitMs === null) return;
        expect(Number.isFinite(waitMs)).toBe(true);
        expect(waitMs).toBeGreaterThanOrEqual(0);
      }),
      {
        numRuns: 2000,
        interruptAfterTimeLimit: 3000,
        markInterruptAsFailure: true,
        examples: [['9'.repeat(400)]],
      },
    );
  });
});
