import type { Coords, LeafletEvent } from 'leaflet';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Palette } from '../palette';
import { RETRY_AFTER_MS } from '../raster/raster-source';
import { BasemapLayer, TileStore } from './basemap-layer';
import type { PaintJob, Painter, TilePicture } from './painter';

const leaflet = vi.hoisted(() => ({ unload: (_event: Pick<LeafletEvent, never> & { tile: unknown }) => {} }));

// Leaflet itself needs a page; the layer needs only its events.
vi.mock('leaflet', () => ({
  GridLayer: class {
    _map = { getZoom: () => 9 };
    on(_name: string, unload: typeof leaflet.unload) {
      leaflet.unload = unload;
    }
  },
}));

interface PaintedJob extends PaintJob {
  answer: (picture: TilePicture) => void;
}

let jobs: PaintedJob[] = [];
let reported: boolean[] = [];

/** A layer with dark colors and a tile, and the names of the pictures that the tile has shown. */
const setUp = () => {
  const painter = {
    paint: (job: PaintJob, answer: PaintedJob['answer']) => jobs.push({ ...job, answer }),
  } as Partial<Painter> as Painter;
  const layer = new BasemapLayer(painter, { text: 'dark' } as Palette, (isPartial) =>
    reported.push(isPartial),
  );
  const shown: unknown[] = [];
  const tile = {
    style: {},
    getContext: () => ({ transferFromImageBitmap: ({ name }: { name?: string }) => shown.push(name) }),
  };
  vi.stubGlobal('document', { createElement: () => tile });
  const create = () =>
    (
      layer as unknown as { createTile(at: Pick<Coords, 'x' | 'y' | 'z'>, done: () => void): void }
    ).createTile({ x: 1, y: 2, z: 9 }, () => {});
  create();
  return { layer, shown, tile, create };
};

/** The painter answers the job of a number with a picture, and how often that is freed later. */
const answer = (job: number, name: string, more: Partial<TilePicture> = {}) => {
  const close = vi.fn();
  const bitmap = { name, close } as unknown as ImageBitmap;
  jobs[job - 1]!.answer({ bitmap, isLast: true, isWhole: true, ...more });
  return close;
};

beforeEach(() => {
  [jobs, reported] = [[], []];
  vi.useFakeTimers();
  vi.stubGlobal('window', { devicePixelRatio: 1 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows no picture in older colors than those shown, and frees it', () => {
  const { layer, shown } = setUp();
  answer(1, 'dark, embedded', { isLast: false });
  layer.repaint({ text: 'light' } as Palette);
  expect(jobs.map(({ palette }) => palette.text)).toEqual(['dark', 'light']);
  answer(2, 'light, embedded', { isLast: false });
  // The street map's data has loaded for both.
  expect(answer(1, 'dark, streets')).toHaveBeenCalledOnce();
  expect(answer(2, 'light, streets')).not.toHaveBeenCalled();
  expect(shown).toEqual(['dark, embedded', 'light, embedded', 'light, streets']);
});

it('keeps a tile that left the map only once the last of its pictures has come', () => {
  const { layer, tile, create } = setUp();
  answer(1, 'dark, embedded', { isLast: false });
  layer.repaint({ text: 'light' } as Palette);
  answer(2, 'light');
  leaflet.unload({ tile });
  create();
  expect(jobs).toHaveLength(3);
  answer(3, 'light');
  leaflet.unload({ tile });
  create();
  expect(jobs).toHaveLength(3);
});

it('reports a tile without some of the street map until another attempt has it, and shows nothing between', () => {
  const { shown } = setUp();
  answer(1, 'embedded', { isLast: false });
  answer(1, 'one road', { isWhole: false });
  for (const job of [2, 3]) {
    vi.advanceTimersByTime(RETRY_AFTER_MS);
    answer(job, 'embedded', { isLast: false });
    answer(job, job === 2 ? 'one road' : 'all roads', { isWhole: job === 3 });
  }
  vi.advanceTimersByTime(5 * RETRY_AFTER_MS);
  expect(jobs).toHaveLength(3);
  expect(shown).toEqual(['embedded', 'one road', 'one road', 'all roads']);
  expect(reported).toEqual([true, false]);
});

it('forgets a tile without some of the street map when it leaves the map', () => {
  const { tile, create } = setUp();
  answer(1, 'one road', { isWhole: false });
  leaflet.unload({ tile });
  expect(reported).toEqual([true, false]);
  vi.advanceTimersByTime(5 * RETRY_AFTER_MS);
  expect(jobs).toHaveLength(1);
  create();
  expect(jobs).toHaveLength(2);
});

const named = (name: string) => ({ name }) as unknown as HTMLCanvasElement;

describe('TileStore', () => {
  it('gives a tile back once', () => {
    const store = new TileStore();
    const painted = named('5/1/2');
    store.put('5/1/2', painted);
    expect(store.take('5/1/2')).toBe(painted);
    expect(store.take('5/1/2')).toBeNull();
  });

  it('evicts those first that left the map first', () => {
    const store = new TileStore();
    for (let i = 0; i < 33; i++) store.put(`6/${i}/0`, named(String(i)));
    expect(store.take('6/0/0')).toBeNull();
    expect(store.take('6/1/0')).not.toBeNull();
    expect(store.take('6/32/0')).not.toBeNull();
  });

  it('has nothing left once it is cleared', () => {
    const store = new TileStore();
    store.put('5/1/2', named('old colors'));
    store.clear();
    expect(store.take('5/1/2')).toBeNull();
  });
});
