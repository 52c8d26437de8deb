import 'server-only';

export type Fetch = (request: Request) => Promise<Response>;

/**
 * Node's own fetch. Next.js puts one in its place that caches and that ties each call to the page or route
 * in whose context it began, which a feed outlives.
 */
export const readPlainFetch = (): Fetch => {
  const current = globalThis.fetch as Fetch & { _nextOriginalFetch?: Fetch };
  return current._nextOriginalFetch ?? current;
};
