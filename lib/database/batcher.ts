interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Concurrent calls share one run: calls that arrive during a run wait for it to end and go together into the next one. An
 * idle batcher runs at once, so a single call does not wait.
 *
 * `run` returns one result for each item, in order; when it throws, every call of that run is rejected. Where `isItemFault`
 * recognizes the error of one item, the run is repeated in halves, so that only that item's call is rejected: `run` must
 * then have no effect when it throws. A run takes items until their weights add up to `maxWeight`, and always at least one.
 */
export const createBatcher = <Item, Result>(options: {
  run(items: Item[]): Promise<Result[]>;
  maxWeight: number;
  weigh?(item: Item): number;
  isItemFault?(error: unknown): boolean;
}): ((item: Item) => Promise<Result>) => {
  const { run, maxWeight, weigh = () => 1, isItemFault = () => false } = options;
  let queue: Waiting<Item, Result>[] = [];
  let running = false;

  const takeBatch = (): Waiting<Item, Result>[] => {
    let weight = 0;
    let end = 0;
    while (end < queue.length && (end === 0 || weight < maxWeight)) weight += weigh(queue[end++]!.item);
    const batch = queue.slice(0, end);
    queue = queue.slice(end);
    return batch;
  };

  const runBatch = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map((waiting) => waiting.item));
      if (results.length !== batch.length)
        throw new Error(`A run gave ${results.length} results when expected ${batch.length}.`);
      batch.forEach((waiting, i) => waiting.resolve(results[i]!));
    } catch (error) {
      if (batch.length > 1 && isItemFault(error)) {
        const middle = batch.length >> 1;
        await runBatch(batch.slice(0, middle));
        await runBatch(batch.slice(middle));
      } else for (const waiting of batch) waiting.reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    running = true;
    // One turn of the microtask queue, so that calls made together travel together.
    await Promise.resolve();
    while (queue.length > 0) await runBatch(takeBatch());
    running = false;
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!running) void drain();
    });
};
