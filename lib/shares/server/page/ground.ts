import 'server-only';
import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { getOrMake } from '@/lib/base/maps';
import { toBasemap, withDetail, type Basemap } from '@/lib/geo/base-map/basemap';
import {
  DETAIL_URL,
  OVERVIEW_URL,
  type DetailFile,
  type OverviewFile,
} from '@/lib/geo/base-map/basemap-file';
import { traceLines, type LineSet } from '@/lib/geo/base-map/line-set';
import { HEIGHT, WIDTH, type Frame } from './frame';

const readJson = async (url: string): Promise<unknown> => JSON.parse(await readFile(`public${url}`, 'utf8'));

let loaded: Promise<Basemap> | null = null;

/** The built-in map, which is read when it is first wanted, and again after a failure. @throws where its files are missing */
export const loadBasemap = (): Promise<Basemap> =>
  (loaded ??= Promise.all([readJson(OVERVIEW_URL), readJson(DETAIL_URL)]).then(
    ([overview, detail]) => withDetail(toBasemap(overview as OverviewFile), detail as DetailFile),
    (error: unknown) => {
      loaded = null;
      throw error;
    },
  ));

/** Lines are cut off so far beyond the edges, where their own ends and the edges of areas are not seen. */
const BLEED = 24;
const [LEFT, TOP, RIGHT, BOTTOM] = [-BLEED, -BLEED, WIDTH + BLEED, HEIGHT + BLEED];
/** How far what is drawn may lie from what is there, in units of the drawing: half a pixel of a phone. */
export const FINE = 1.1;

type Corner = readonly [x: number, y: number];

/** The four edges: how far inside a point is, and where a segment crosses. */
const EDGES: readonly ((corner: Corner) => number)[] = [
  ([x]) => x - LEFT,
  ([x]) => RIGHT - x,
  ([, y]) => y - TOP,
  ([, y]) => BOTTOM - y,
];

const cross = (a: Corner, b: Corner, insideA: number, insideB: number): Corner => {
  const share = insideA / (insideA - insideB);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
};

/** Clips an area by one edge after another. Algorithm: I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", CACM 17 (1), 1974. */
const clipArea = (ring: readonly Corner[]): readonly Corner[] =>
  EDGES.reduce((corners, inside) => {
    const kept: Corner[] = [];
    corners.forEach((corner, i) => {
      const before = corners.at(i - 1)!;
      const [a, b] = [inside(before), inside(corner)];
      if (a >= 0 !== b >= 0) kept.push(cross(before, corner, a, b));
      if (b >= 0) kept.push(corner);
    });
    return kept;
  }, ring);

/** The pieces of a line within the edges. */
const clipLine = (line: readonly Corner[]): Corner[][] =>
  EDGES.reduce<readonly (readonly Corner[])[]>(
    (pieces, inside) =>
      pieces.flatMap((corners) => {
        const kept: Corner[][] = [];
        corners.forEach((corner, i) => {
          const before = corners[i - 1];
          const b = inside(corner);
          const a = before === undefined ? b : inside(before);
          if (before !== undefined && a >= 0 !== b >= 0) {
            const at = cross(before, corner, a, b);
            if (b >= 0) kept.push([at]);
            else kept.at(-1)!.push(at);
          } else if (before === undefined && b >= 0) kept.push([]);
          if (b >= 0) kept.at(-1)!.push(corner);
        });
        return kept;
      }),
    [line],
  ).map((corners) => [...corners]);

/** Leaves out corners. Algorithm: D. H. Douglas and T. K. Peucker, "Algorithms for the reduction of the number of points", Cartographica 10 (2), 1973. */
const simplify = (corners: readonly Corner[], tolerance: number): readonly Corner[] => {
  if (corners.length < 3) return corners;
  const [a, b] = [corners[0]!, corners.at(-1)!];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  let [farthest, most] = [0, tolerance];
  for (let i = 1; i < corners.length - 1; i += 1) {
    const [x, y] = [corners[i]![0] - a[0], corners[i]![1] - a[1]];
    // Of a ring that is cut open at its first corner.
    const apart = length < 1 ? Math.hypot(x, y) : Math.abs(x * dy - y * dx) / length;
    if (apart > most) [farthest, most] = [i, apart];
  }
  if (farthest === 0) return [a, b];
  return [
    ...simplify(corners.slice(0, farthest + 1), tolerance).slice(0, -1),
    ...simplify(corners.slice(farthest), tolerance),
  ];
};

/** Path data of whole numbers, each corner but the first as its difference. */
export const toPath = (corners: readonly Corner[], isClosed: boolean, tolerance: number): string => {
  const ring = isClosed ? [...corners, corners[0]!] : corners;
  const [first, ...others] = simplify(ring, tolerance);
  if (first === undefined) return '';
  let [x, y] = [Math.round(first[0]), Math.round(first[1])];
  let steps = '';
  for (const corner of others) {
    const [dx, dy] = [Math.round(corner[0]) - x, Math.round(corner[1]) - y];
    if (dx === 0 && dy === 0) continue;
    steps += `${steps === '' || dx < 0 ? '' : ' '}${dx}${dy < 0 ? '' : ' '}${dy}`;
    [x, y] = [x + dx, y + dy];
  }
  if (steps === '') return '';
  return `M${Math.round(first[0])} ${Math.round(first[1])}l${steps}${isClosed ? 'z' : ''}`;
};

const toPaths = (
  lines: LineSet,
  { left, top, scale }: Frame,
  isClosed: boolean,
  tolerance: number,
): string => {
  const traced: Corner[][] = [];
  const pen = {
    moveTo: (x: number, y: number) => void traced.push([[x, y]]),
    lineTo: (x: number, y: number) => void traced.at(-1)!.push([x, y]),
    closePath: () => undefined,
  };
  const bleed = BLEED / scale;
  const window = {
    minX: left - bleed,
    minY: top - bleed,
    maxX: left + WIDTH / scale + bleed,
    maxY: top + HEIGHT / scale + bleed,
    originX: left,
    originY: top,
    scale,
  };
  traceLines(pen, lines, window, isClosed);
  return traced
    .flatMap((line) => (isClosed ? [clipArea(line)] : clipLine(line)))
    .map((corners) => (corners.length > 1 ? toPath(corners, isClosed, tolerance) : ''))
    .join('');
};

const COUNTY_LEAST_ZOOM = 9;

/** The layers of the ground from the bottom up: their class in the page's style, and what they are made of. */
const LAYERS: readonly (readonly [string, (map: Basemap) => LineSet, isArea: boolean, leastZoom?: number])[] =
  [
    ['fa', ({ areas }) => areas.nearLand, true],
    ['se', ({ lines }) => lines.seams, false],
    ['bo', ({ lines }) => lines.provinceLines, false],
    ['bo', ({ lines }) => lines.countryLines, false],
    ['wa', ({ areas }) => areas.outerLakes, true],
    ['la', ({ areas }) => areas.usLand, true],
    ['ri', ({ lines }) => lines.rivers, false, 6],
    ['wa', ({ areas }) => areas.innerLakes, true],
    ['co', ({ countyLines }) => countyLines, false, COUNTY_LEAST_ZOOM],
    ['st', ({ lines }) => lines.stateLines, false],
  ];

/** A line on a wider one, of one path: the page's style has a class for each. */
export const drawTwice = (id: string, [below, above]: readonly [string, string], path: string): string =>
  `<defs><path id="${id}" d="${path}"/></defs><use class="${below}" href="#${id}"/><use class="${above}" href="#${id}"/>`;

/** Maps of what is open at the same time, of some 10 KB each. */
const grounds = new LRUCache<string, string>({ max: 300 });

const drawGround = (map: Basemap, frame: Frame, tolerance: number): string => {
  const layers = LAYERS.map(([name, linesOf, isArea, leastZoom = 0]) => {
    const path = frame.zoom < leastZoom ? '' : toPaths(linesOf(map), frame, isArea, tolerance);
    return path === '' ? '' : `<path class="${name}" d="${path}"/>`;
  });
  const roads = map.roads.map(({ lines }) => toPaths(lines, frame, false, tolerance)).join('');
  if (roads !== '') layers.push(drawTwice('roads', ['rc', 'ro'], roads));
  return layers.join('');
};

/** Land, water, borders and interstates of a frame, as SVG whose colors are the page's. */
export const toGround = (map: Basemap, frame: Frame, tolerance: number): string =>
  getOrMake(grounds, [frame.left, frame.top, frame.zoom, tolerance].join(' '), () =>
    drawGround(map, frame, tolerance),
  );
