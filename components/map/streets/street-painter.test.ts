import { gzipSync } from 'node:zlib';
import { PMTiles } from 'pmtiles';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStreetArchive } from '@/testing/map/create-street-archive';
import type { Palette } from '../palette';
import { StreetPainter } from './street-painter';

const ZOOM = 8;
const ZOOMS = { minZoom: 6, maxZoom: 7 };
const MAP = { ...ZOOMS, attribution: [] };
/** A tile of 512 pixels, and its neighbor to the east; a highway with a number in the middle of each. */
const [TILE, NEXT] = [
  { column: 26, row: 48, zoom: ZOOM, sizePx: 512 },
  { column: 27, row: 48, zoom: ZOOM, sizePx: 512 },
];
const archive = createStreetArchive({
  ...ZOOMS,
  features: [
    { layer: 'roads', kind: 'highway', type: 'line', points: [[-106.5, 40], [-105.5, 40], [-104.5, 40]], more: { ref: '70', network: 'US:I' } }, // oxfmt-ignore
    { layer: 'roads', kind: 'highway', type: 'line', points: [[-103.5, 40], [-102.5, 40], [-101.5, 40]], more: { ref: '76', network: 'US:I' } }, // oxfmt-ignore
  ],
});
const tiles = new PMTiles({
  getKey: () => 'archive',
  getBytes: async (offset, length) => ({
    data: new Uint8Array(archive.subarray(offset, offset + length)).buffer,
  }),
});

const readTile = async (path: string): Promise<Response> => {
  const [z, x, y] = path.split('/').slice(-3).map(Number) as [number, number, number];
  const tile = await tiles.getZxy(z, x, y);
  return tile ? new Response(gzipSync(new Uint8Array(tile.data))) : new Response(null, { status: 204 });
};
const isNext = (path: string): boolean => path.endsWith(`/${NEXT.column}/${NEXT.row}`);

/** How the server answers for the neighbor alone. */
let answerNext: typeof readTile = readTile;
const damaged: Record<string, typeof readTile> = {
  'the server cannot read': async () => new Response('{}', { status: 500 }),
  'is cut short': async (path) => new Response((await (await readTile(path)).arrayBuffer()).slice(0, 30)),
  'holds something else': async () => new Response(gzipSync('a page, and not a tile')),
};
const unserved: Record<string, typeof readTile> = {
  'does not answer': () => Promise.reject(new TypeError('fetch failed')),
  'cannot read the archive': async () => new Response('{}', { status: 503 }),
};

/** A canvas that takes every call, and measures text. */
const toContext = () => {
  const stroke = vi.fn();
  const calls: Record<string, unknown> = { stroke, measureText: () => ({ width: 30 }) };
  const context = new Proxy(calls, { get: (own, name: string) => own[name] ?? (() => undefined) });
  return { context: context as unknown as OffscreenCanvasRenderingContext2D, stroke };
};

beforeEach(() => {
  vi.stubGlobal('fetch', (path: string) => (isNext(path) ? answerNext : readTile)(path));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => toContext().context;
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const paint = async (tile: typeof TILE) => {
  const { context, stroke } = toContext();
  const reading = await new StreetPainter(MAP).paint(context, tile!, {} as Palette);
  return { ...reading, strokes: stroke.mock.calls.length };
};
const readNames = async () => {
  const box = { left: 26 * 512, top: 48 * 512, right: 28 * 512, bottom: 49 * 512 };
  const { names, covers, isServed } = await new StreetPainter(MAP).readNames(ZOOM, box, {} as Palette);
  const covered = [26.5, 27.5].map((column) => covers(column * 512, 48.5 * 512));
  return { routes: names.map(({ key }) => key.split('/')[0]), covered, isServed };
};

it('paints and names what the archive has', async () => {
  answerNext = readTile;
  expect(await paint(NEXT)).toEqual({ isServed: true, isWhole: true, strokes: expect.any(Number) });
  expect(await readNames()).toEqual({ routes: ['I-70', 'I-76'], covered: [true, true], isServed: true });
});

it.each(Object.keys(damaged))('leaves out only the tile that %s', async (what) => {
  answerNext = damaged[what]!;
  expect(await paint(NEXT)).toEqual({ isServed: true, isWhole: false, strokes: 0 });
  const { strokes, ...whole } = await paint(TILE);
  expect(strokes).toBeGreaterThan(0);
  expect(whole).toEqual({ isServed: true, isWhole: true });
  expect(await readNames()).toEqual({ routes: ['I-70'], covered: [true, false], isServed: true });
});

it.each(Object.keys(unserved))('tells a damaged tile from a server that %s', async (what) => {
  answerNext = unserved[what]!;
  expect(await paint(NEXT)).toEqual({ isServed: false, isWhole: false, strokes: 0 });
  expect(await readNames()).toEqual({ routes: ['I-70'], covered: [true, false], isServed: false });
});
