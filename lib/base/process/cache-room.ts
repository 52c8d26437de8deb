/**
 * Options of an LRUCache of up to `entries`, whose memory grows with what it holds: `max` takes 20 bytes for each of them,
 * and a millisecond for 5,000, when the cache is made.
 */
export const roomFor = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
