import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestLog } from '../../../testing/service/service';
import { createUseLog, toLaterUse } from './use-log';

/** A pool that records what it writes, or rejects it. */
const setUp = () => {
  const written: unknown[][] = [];
  const state = { isAway: false, nowMs: 1000 };
  const { log, lines } = createTestLog();
  const query = (statement: { values: unknown[] }) => {
    if (state.isAway) return Promise.reject(new Error('the database is away'));
    written.push(statement.values);
    return Promise.resolve();
  };
  const uses = createUseLog({
    pool: { query } as never,
    table: 'api_key_secrets',
    now: () => state.nowMs,
    log,
    flushAfterMs: 5000,
  });
  return { uses, written, state, lines };
};

describe('a log of uses', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes the uses of thousands of requests in one statement at intervals', async () => {
    const { uses, written, state } = setUp();
    for (let i = 0; i < 10_000; i++) {
      state.nowMs = 1000 + i;
      uses.note(i % 2 === 0 ? 'a' : 'b');
    }
    await vi.advanceTimersByTimeAsync(4999);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toEqual([
      [
        ['a', 'b'],
        [10_998, 10_999],
      ],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(written).toHaveLength(1);
  });

  it('keeps and reports uses that could not be written', async () => {
    const { uses, written, state, lines } = setUp();
    uses.note('a');
    state.isAway = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(lines).toEqual([expect.objectContaining({ level: 'warn' })]);
    expect(uses.readPending('a')).toBe(1000);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect(written).toEqual([[['a'], [1000]]]);
    expect(uses.readPending('a')).toBeNull();
  });

  it('leaves no timer behind where the database is away when it is closed', async () => {
    const { uses, state } = setUp();
    uses.note('a');
    state.isAway = true;
    await uses.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('toLaterUse', () => {
  it.each([
    [null, null, null],
    [1, null, 1],
    [null, 2, 2],
    [3, 2, 3],
  ])('of %s and %s is %s', (a, b, later) => {
    expect(toLaterUse(a, b)).toBe(later);
  });
});
