import { describe, expect, it } from 'vitest';
import { TileStore } from './tile-store';

const tile = (name: string) => ({ name }) as unknown as HTMLCanvasElement;

describe('TileStore', () => {
  it('gives a tile back once', () => {
    const store = new TileStore();
    const painted = tile('5/1/2');
    store.put('5/1/2', painted);
    expect(store.take('5/1/2')).toBe(painted);
    expect(store.take('5/1/2')).toBeNull();
  });

  it('evicts those first that left the map first', () => {
    const store = new TileStore();
    for (let i = 0; i < 33; i++) store.put(`6/${i}/0`, tile(String(i)));
    expect(store.take('6/0/0')).toBeNull();
    expect(store.take('6/1/0')).not.toBeNull();
    expect(store.take('6/32/0')).not.toBeNull();
  });

  it('has nothing left once it is cleared', () => {
    const store = new TileStore();
    store.put('5/1/2', tile('old colors'));
    store.clear();
    expect(store.take('5/1/2')).toBeNull();
  });
});
