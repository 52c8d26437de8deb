import 'server-only';
import { getOrMake } from '@/lib/base/maps';
import { escapeXml } from '@/lib/base/text/text';
import type { Basemap, NamedPoint, Road } from '@/lib/geo/base-map/basemap';
import { HEIGHT, WIDTH, type Frame, type Point } from './frame';

/** Sides of a box in units of the drawing. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Heights of text on a phone and on a desk; the page's style has the same. */
export const PHONE_TEXT = 23;
export const DESK_TEXT = 13;
const LETTER_WIDTH = 0.56;
const MOST_NAMES = { phone: 9, desk: 26 };
const EDGE = 6;

export const widthOf = (text: string, size: number): number => text.length * size * LETTER_WIDTH;

const hits = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isInside = ({ left, top, right, bottom }: Box): boolean =>
  left > EDGE && top > EDGE && right < WIDTH - EDGE && bottom < HEIGHT - EDGE;

/** A name beside its point: to the right, else to the left. */
export interface PlacedName {
  text: string;
  at: Point;
  side: 'start' | 'end';
  box: Box;
}

/** A name where it hits nothing and lies within the map; null where there is no room. */
export const placeBeside = (
  text: string,
  at: Point,
  { size, gap, taken }: { size: number; gap: number; taken: readonly Box[] },
): PlacedName | null => {
  const width = widthOf(text, size);
  for (const side of ['start', 'end'] as const) {
    const left = side === 'start' ? at.x + gap : at.x - gap - width;
    const box = { left, right: left + width, top: at.y - size * 0.7, bottom: at.y + size * 0.7 };
    if (isInside(box) && !taken.some((other) => hits(box, other))) return { text, at, side, box };
  }
  return null;
};

const toScreen = ({ left, top, scale }: Frame, { x, y }: { x: number; y: number }): Point => ({
  x: (x - left) * scale,
  y: (y - top) * scale,
});

/** The towns of a frame with room for their names, the largest first. */
const placeTowns = (
  places: readonly (NamedPoint & { at: Point })[],
  size: number,
  most: number,
  taken: Box[],
): PlacedName[] => {
  const placed: PlacedName[] = [];
  for (const { name, at } of places) {
    if (placed.length >= most) break;
    const found = placeBeside(name, at, { size, gap: size * 0.45, taken });
    if (found === null) continue;
    placed.push(found);
    const [air, dot] = [size * 0.5, size * 0.4];
    const { left, top, right, bottom } = found.box;
    taken.push(
      { left: left - air, top: top - air, right: right + air, bottom: bottom + air },
      { left: at.x - dot, top: at.y - dot, right: at.x + dot, bottom: at.y + dot },
    );
  }
  return placed;
};

/** Whether a segment may cross the map. */
const isNear = (a: Point, b: Point): boolean =>
  Math.max(a.x, b.x) > 0 &&
  Math.min(a.x, b.x) < WIDTH &&
  Math.max(a.y, b.y) > 0 &&
  Math.min(a.y, b.y) < HEIGHT;

const sortedPlaces = new WeakMap<Basemap, NamedPoint[]>();

/** The towns of the map, the largest first. */
const listPlaces = (map: Basemap): NamedPoint[] =>
  getOrMake(sortedPlaces, map, () => [...map.cities, ...map.places].sort((a, b) => b.weight - a.weight));

/** A point of a road that is well within the map and hits nothing, nearest to the middle; null without one. */
const findShield = (road: Road, frame: Frame, size: number, taken: readonly Box[]): Point | null => {
  const { points, starts } = road.lines;
  const half = { x: widthOf(road.name, size) / 2 + size * 0.4, y: size * 0.8 };
  let best: { at: Point; apart: number } | null = null;
  for (let line = 0; line + 1 < starts.length; line += 1) {
    for (let p = starts[line]! + 1; p < starts[line + 1]!; p += 1) {
      const a = toScreen(frame, { x: points[2 * p - 2]!, y: points[2 * p - 1]! });
      const b = toScreen(frame, { x: points[2 * p]!, y: points[2 * p + 1]! });
      if (!isNear(a, b)) continue;
      const steps = Math.min(40, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / 30));
      for (let step = 0; step < steps; step += 1) {
        const share = (step + 0.5) / steps;
        const at = { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
        const box = { left: at.x - half.x, right: at.x + half.x, top: at.y - half.y, bottom: at.y + half.y };
        if (!isInside(box) || taken.some((other) => hits(box, other))) continue;
        const apart = Math.hypot(at.x - WIDTH / 2, at.y - HEIGHT / 2);
        if (best === null || apart < best.apart) best = { at, apart };
      }
    }
  }
  return best?.at ?? null;
};

const round = Math.round;

const townSvg = ({ text, at, side }: PlacedName, size: number): string =>
  `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="${size > 20 ? 4 : 2.5}"/><text x="${round(at.x + (side === 'start' ? 1 : -1) * size * 0.45)}" y="${round(at.y)}"${side === 'end' ? ' text-anchor="end"' : ''}>${escapeXml(text)}</text>`;

const shieldSvg = (name: string, { x, y }: Point): string =>
  `<g class="sh" transform="translate(${round(x)} ${round(y)})"><rect x="-${name.length * 3.6 + 4}" y="-8" width="${name.length * 7.2 + 8}" height="16" rx="3"/><text>${name}</text></g>`;

/**
 * Names of towns and interstates of a frame, beside what is `taken`, those of towns beside `lines` too: those that a phone has room for, and in a group of their
 * own those that a desk has room for as well.
 */
export const toNames = (
  map: Basemap,
  frame: Frame,
  { taken, lines }: { taken: readonly Box[]; lines: readonly Box[] },
): string => {
  const places = listPlaces(map).flatMap((place) => {
    const at = toScreen(frame, place);
    return at.x > 0 && at.x < WIDTH && at.y > 0 && at.y < HEIGHT ? [{ ...place, at }] : [];
  });
  const used: Box[] = [...taken];
  const forTowns = [...taken, ...lines];
  const phone = placeTowns(places, PHONE_TEXT, MOST_NAMES.phone, forTowns);
  used.push(...forTowns.slice(taken.length + lines.length));
  const shields = map.roads.flatMap((road) => {
    const at = findShield(road, frame, PHONE_TEXT, used);
    if (at === null) return [];
    const width = widthOf(road.name, PHONE_TEXT) / 2 + 30;
    const box = { left: at.x - width, right: at.x + width, top: at.y - 40, bottom: at.y + 40 };
    used.push(box);
    forTowns.push(box);
    return shieldSvg(road.name, at);
  });
  const named = new Set(phone.map(({ text }) => text));
  const others = places.filter(({ name }) => !named.has(name));
  const desk = placeTowns(others, DESK_TEXT, MOST_NAMES.desk, forTowns);
  return `<g class="pl">${phone.map((name) => townSvg(name, PHONE_TEXT)).join('')}</g><g class="pl more">${desk
    .map((name) => townSvg(name, DESK_TEXT))
    .join('')}</g>${shields.slice(0, 8).join('')}`;
};
