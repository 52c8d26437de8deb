import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher';

/** A batcher whose runs the test ends. */
const createHeldBatcher = (maxWeight = 100) => {
  const runs: { items: number[]; end: (error?: Error) => void }[] = [];
  const call = createBatcher<number, number>({
    maxWeight,
    weigh: (item) => item,
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => item * 2))),
        });
      }),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { call, runs, settle };
};

describe('createBatcher', () => {
  it('runs at once when idle', async () => {
    const { call, runs, settle } = createHeldBatcher();
    const answer = call(1);
    await settle();
    expect(runs.map((run) => run.items)).toEqual([[1]]);
    runs[0]!.end();
    expect(await answer).toBe(2);
  });

  it('collects calls during a run into the next one, each with its own result', async () => {
    const { call, runs, settle } = createHeldBatcher();
    const first = call(1);
    await settle();
    const others = [call(2), call(3)];
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await first;
    await settle();
    expect(runs[1]!.items).toEqual([2, 3]);
    runs[1]!.end();
    expect(await Promise.all(others)).toEqual([4, 6]);
  });

  it('ends a run at the greatest weight, and takes one item however heavy', async () => {
    const { call, runs, settle } = createHeldBatcher(5);
    const answers = [call(3), call(3), call(1), call(50), call(1)];
    for (let i = 0; i < 4; i++) {
      await settle();
      runs[i]?.end();
    }
    await Promise.all(answers);
    expect(runs.map((run) => run.items)).toEqual([[3, 3], [1, 50], [1]]);
  });

  it('refuses the calls of a run that failed, and goes on with the next', async () => {
    const { call, runs, settle } = createHeldBatcher();
    const first = call(1);
    await settle();
    const second = call(2);
    runs[0]!.end(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await settle();
    runs[1]!.end();
    expect(await second).toBe(4);
  });

  it('refuses only the call of the item that made a run fail, and gives all others their results', async () => {
    const items = Array.from({ length: 380 }, (_, i) => i);
    const isBad = (item: number) => item === 7 || item === 8 || item === 379;
    let runs = 0;
    const call = createBatcher<number, number>({
      maxWeight: 1000,
      isItemFault: (error) => (error as Error).message === 'bad',
      run: async (batch) => {
        runs++;
        if (batch.some(isBad)) throw new Error('bad');
        return batch.map((item) => item * 2);
      },
    });
    const answers = await Promise.allSettled(items.map(call));
    expect(answers.flatMap((answer, i) => (answer.status === 'rejected' ? [i] : []))).toEqual([7, 8, 379]);
    expect(answers[6]).toEqual({ status: 'fulfilled', value: 12 });
    expect(runs).toBeLessThan(60);
  });

  it('does not repeat a run after a fault that belongs to no item', async () => {
    let runs = 0;
    const call = createBatcher<number, number>({
      maxWeight: 1000,
      isItemFault: () => false,
      run: async () => {
        runs++;
        throw new Error('lost');
      },
    });
    const answers = await Promise.allSettled([1, 2, 3, 4].map(call));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(runs).toBe(1);
  });
});
