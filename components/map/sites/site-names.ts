import { BoxIndex, middleOf } from '../box-index';
import { FONT_FAMILY } from '../canvas';
import type { Palette } from '../palette';
import {
  NAME_MARGIN_PX,
  paintNameSheet,
  withoutOverlaps,
  type NameSheet,
  type NamesJob,
  type NameToPaint,
} from '../names/name-sheet';
import { shorten } from '@/lib/base/text/text';
import type { SiteKind } from '@/lib/rules/site';
import { LEAST_PX, shapesWithin, toShare, widthOf, type DrawnSite, type SiteShapes } from './site-shapes';

const FONT = `650 11.5px ${FONT_FAMILY}`;
const HEIGHT_PX = 15;
/** Between the lower edge of a site and its name. */
const GAP_PX = 3;
/** A site that is larger has its name in its middle, where it is in view longer. */
const LARGE_PX = 240;
/** A mark has half this height, whatever the size of its site. */
const MARK_REACH_PX = 6;
/** Painting letters is slow, and more names than this are in no view. */
const MOST = 160;
/** So many are measured: those of a whole country of sites would take a frame. */
const MOST_MEASURED = 800;

/** The order in which names get room: first the sites that people look for; among equals, the larger. */
const IMPORTANCE: readonly SiteKind[] = ['yard', 'customer', 'noGo', 'fuel', 'other'];

/** From a shape's middle to its name's middle, pixels. */
const toDrop = (heightPx: number): number => {
  if (heightPx > LARGE_PX) return 0;
  return Math.max(heightPx / 2, MARK_REACH_PX) + GAP_PX + HEIGHT_PX / 2;
};

const toName = (
  { site, box }: DrawnSite,
  worldSizePx: number,
  palette: Palette,
  widthOfText: (text: string) => number,
): NameToPaint => {
  const middle = middleOf(box);
  const x = middle.x * worldSizePx;
  const y = middle.y * worldSizePx + toDrop((box.bottom - box.top) * worldSizePx);
  const name = shorten(site.name);
  const half = widthOfText(name) / 2;
  return {
    key: `${site.id} ${Math.round(x)} ${Math.round(y)}`,
    covers: { left: x - half, right: x + half, top: y - HEIGHT_PX / 2, bottom: y + HEIGHT_PX / 2 },
    paint: (context, left, top) => {
      context.font = FONT;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineJoin = 'round';
      context.strokeStyle = palette.land;
      context.lineWidth = NAME_MARGIN_PX;
      context.strokeText(name, x - left, y - top);
      context.fillStyle = palette.text;
      context.fillText(name, x - left, y - top);
    },
  };
};

const toMarks = (shapes: readonly DrawnSite[], worldSizePx: number): BoxIndex => {
  const marks = new BoxIndex();
  for (const shape of shapes) {
    if (widthOf(shape) * worldSizePx >= LEAST_PX) continue;
    const middle = middleOf(shape.box);
    const [x, y] = [middle.x * worldSizePx, middle.y * worldSizePx];
    marks.add(x - MARK_REACH_PX, y - MARK_REACH_PX, x + MARK_REACH_PX, y + MARK_REACH_PX);
  }
  return marks;
};

/** The names of the sites in a part of the map, none over another or over a mark. */
export const paintSiteNames = (shapes: SiteShapes, hiddenId: number | null, job: NamesJob): NameSheet => {
  const worldSizePx = 256 * 2 ** job.zoom;
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.font = FONT;
  const within = shapesWithin(shapes, toShare(job.box, worldSizePx)).filter(
    ({ site }) => site.id !== hiddenId,
  );
  const shown = [...within]
    .sort(
      (a, b) => IMPORTANCE.indexOf(a.site.kind) - IMPORTANCE.indexOf(b.site.kind) || widthOf(b) - widthOf(a),
    )
    .slice(0, MOST_MEASURED);
  const names = shown.map((shape) =>
    toName(shape, worldSizePx, job.palette, (text) => context.measureText(text).width),
  );
  const marks = toMarks(within, worldSizePx);
  const free = names.filter(
    ({ covers: { left: x0, top: y0, right: x1, bottom: y1 } }) => !marks.hits(x0, y0, x1, y1),
  );
  return paintNameSheet(withoutOverlaps(free).slice(0, MOST), job);
};
