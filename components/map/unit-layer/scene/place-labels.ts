import { BoxIndex, type Box } from '../../box-index';
import {
  BADGE_HEIGHT_PX,
  BADGE_LEFT_PX,
  BADGE_TOP_PX,
  badgeWidthPx,
  toCountText,
  type Glyphs,
  type View,
} from './glyphs';

/** Half the side of a glyph, and the height of a label, CSS pixels. */
const GLYPH_REACH_PX = 9;
/** The same for the selected unit's, with the ring about it. */
const RING_REACH_PX = 18;
export const LABEL_HEIGHT_PX = 14;
const LABEL_GAP_PX = 12;
/** Margin between a label and its neighbors. */
const AIR_PX = 2;
/** Most labels by zoom; the deepest listed holds from there on. */
const BUDGET: [zoom: number, labels: number][] = [
  [4, 25],
  [5, 70],
  [6, 120],
  [7, 180],
  [8, 240],
  [9, 320],
];

/** Sides of a glyph for its label, in the order of preference. */
const SLOTS = ['right', 'left', 'below', 'above'] as const;
type Slot = (typeof SLOTS)[number];

/** Labels of one frame; `x, y` is the middle of the left side, pixels of the view. */
export interface UnitLabels {
  count: number;
  glyph: number[];
  text: string[];
  x: number[];
  y: number[];
}

const budgetAt = (zoom: number): number => BUDGET.find(([z]) => zoom <= z)?.[1] ?? BUDGET.at(-1)![1];

/**
 * Places the numbers of units beside their glyphs: nothing overlaps a glyph, a count or another label.
 *
 * Only glyphs of a single unit are labeled. Those that had a label before go first and keep their
 * side, then the important ones; the zoom bounds how many. The selected unit has a pill instead.
 */
export class LabelPlacer {
  readonly labels: UnitLabels = { count: 0, glyph: [], text: [], x: [], y: [] };
  #taken = new BoxIndex();
  /** The side of a row's label in the previous frame. */
  #sides = new Map<number, Slot>();

  reset(): void {
    this.#sides.clear();
  }

  /** Whether a glyph, a count, a label or the pill of the last frame touches a box, pixels of the view. */
  covers(left: number, top: number, right: number, bottom: number): boolean {
    return this.#taken.hits(left, top, right, bottom);
  }

  run(
    glyphs: Glyphs,
    view: View,
    textOf: (row: number) => string | null,
    widthOf: (text: string) => number,
    selected: { glyph: number; pill: Box } | null,
  ): UnitLabels {
    const { labels } = this;
    this.#takeGlyphs(glyphs, selected);
    labels.count = 0;
    const sides = new Map<number, Slot>();
    const budget = budgetAt(Math.log2(view.worldSizePx / 256));
    for (const hadLabel of [true, false]) {
      for (let glyph = 0; glyph < glyphs.count && labels.count < budget; glyph++) {
        const row = glyphs.row[glyph]!;
        const side = this.#sides.get(row);
        if (glyphs.stands[glyph] !== 1 || (side !== undefined) !== hadLabel) continue;
        if (glyph === selected?.glyph || isUnder(glyphs, glyph, selected?.pill)) continue;
        const text = textOf(row);
        if (text === null) continue;
        const slot = this.#placeOne(glyphs, glyph, text, widthOf(text), view, side);
        if (slot) sides.set(row, slot);
      }
    }
    this.#sides = sides;
    return labels;
  }

  #takeGlyphs(glyphs: Glyphs, selected: { glyph: number; pill: Box } | null): void {
    this.#taken.clear();
    if (selected) {
      const { left, top, right, bottom } = selected.pill;
      this.#taken.add(left, top, right, bottom);
    }
    for (let glyph = 0; glyph < glyphs.count; glyph++) {
      const [x, y] = [glyphs.x[glyph]!, glyphs.y[glyph]!];
      const reach = glyph === selected?.glyph ? RING_REACH_PX : GLYPH_REACH_PX;
      this.#taken.add(x - reach, y - reach, x + reach, y + reach);
      if (glyphs.stands[glyph] === 1) continue;
      const width = badgeWidthPx(toCountText(glyphs.stands[glyph]!));
      const [left, top] = [x + BADGE_LEFT_PX, y + BADGE_TOP_PX];
      this.#taken.add(left, top, left + width, top + BADGE_HEIGHT_PX);
    }
  }

  #placeOne(
    glyphs: Glyphs,
    glyph: number,
    text: string,
    width: number,
    view: View,
    side?: Slot,
  ): Slot | null {
    const [x, y] = [glyphs.x[glyph]!, glyphs.y[glyph]!];
    for (const slot of side ? [side, ...SLOTS.filter((other) => other !== side)] : SLOTS) {
      const [left, middle] = toPlace(slot, x, y, width);
      const [top, bottom] = [middle - LABEL_HEIGHT_PX / 2, middle + LABEL_HEIGHT_PX / 2];
      if (left < 0 || top < 0 || left + width > view.width || bottom > view.height) continue;
      if (this.#taken.hits(left - AIR_PX, top, left + width + AIR_PX, bottom)) continue;
      this.#taken.add(left, top, left + width, bottom);
      const { labels } = this;
      labels.glyph[labels.count] = glyph;
      labels.text[labels.count] = text;
      labels.x[labels.count] = left;
      labels.y[labels.count] = middle;
      labels.count++;
      return slot;
    }
    return null;
  }
}

const isUnder = ({ x, y }: Glyphs, glyph: number, box: Box | undefined): boolean =>
  box !== undefined &&
  x[glyph]! >= box.left &&
  x[glyph]! <= box.right &&
  y[glyph]! >= box.top &&
  y[glyph]! <= box.bottom;

const toPlace = (slot: Slot, x: number, y: number, width: number): [left: number, middle: number] => {
  switch (slot) {
    case 'right':
      return [x + LABEL_GAP_PX, y];
    case 'left':
      return [x - LABEL_GAP_PX - width, y];
    case 'below':
      return [x - width / 2, y + LABEL_GAP_PX + LABEL_HEIGHT_PX / 2];
    case 'above':
      return [x - width / 2, y - LABEL_GAP_PX - LABEL_HEIGHT_PX / 2];
  }
};
