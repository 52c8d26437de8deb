import { describe, expect, it } from 'vitest';
import { createDrain } from './embedded-service';

/** A service whose answers wait until the test releases them. */
const createSlowService = () => {
  const held: (() => void)[] = [];
  const drain = createDrain(() => new Promise((resolve) => held.push(() => resolve(new Response()))));
  return {
    drain,
    ask: () => drain.fetch(new Request('http://service.test')),
    release: () => held.shift()!(),
  };
};

describe('createDrain', () => {
  it('is idle at once without requests', async () => {
    await createDrain(async () => new Response()).untilIdle(60_000);
  });

  it('waits for the requests in flight, including those that fail', async () => {
    const { drain, ask, release } = createSlowService();
    const answers = [ask(), ask()];
    let isIdle = false;
    const idle = drain.untilIdle(60_000).then(() => (isIdle = true));
    release();
    await answers[0];
    expect(isIdle).toBe(false);
    release();
    await idle;
    const failing = createDrain(() => Promise.reject(new Error('gone')));
    await expect(failing.fetch(new Request('http://service.test'))).rejects.toThrow('gone');
    await failing.untilIdle(60_000);
  });

  it('waits no longer than its limit', async () => {
    const { drain, ask } = createSlowService();
    void ask();
    const startedAt = performance.now();
    await drain.untilIdle(20);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
