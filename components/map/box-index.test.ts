import { describe, expect, it } from 'vitest';
import { BoxIndex } from './box-index';

describe('BoxIndex', () => {
  it('finds a box that another touches, across its buckets', () => {
    const index = new BoxIndex();
    index.add(50, 50, 200, 60);
    expect(index.hits(190, 55, 300, 70)).toBe(true);
    expect(index.hits(10, 10, 51, 51)).toBe(true);
    expect(index.hits(-40, -40, -10, -10)).toBe(false);
  });

  it('does not count boxes that only share an edge', () => {
    const index = new BoxIndex();
    index.add(0, 0, 10, 10);
    expect(index.hits(10, 0, 20, 10)).toBe(false);
  });

  it('lets a box touch its owner’s own', () => {
    const index = new BoxIndex();
    index.add(0, 0, 10, 10, 7);
    expect(index.hits(5, 5, 15, 15, 7)).toBe(false);
    expect(index.hits(5, 5, 15, 15, 8)).toBe(true);
  });

  it('is empty again when cleared', () => {
    const index = new BoxIndex();
    index.add(0, 0, 10, 10);
    index.clear();
    expect(index.hits(5, 5, 15, 15)).toBe(false);
  });
});
