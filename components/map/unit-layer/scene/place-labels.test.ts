import { describe, expect, it } from 'vitest';
import { createRandomUnits, createView } from '@/testing/map/random-units';
import {
  BADGE_HEIGHT_PX,
  BADGE_LEFT_PX,
  BADGE_TOP_PX,
  badgeWidthPx,
  toCountText,
  type Glyphs,
} from './glyphs';
import { Declutter } from './declutter';
import type { Box } from '../../box-index';
import { LABEL_HEIGHT_PX, LabelPlacer, type UnitLabels } from './place-labels';

const numberOf = (row: number): string => String(row);
const widthOf = (text: string): number => 7 * text.length;

const glyphsAt = (points: { x: number; y: number; stands?: number }[]): Glyphs => ({
  count: points.length,
  row: Int32Array.from(points, (_, i) => i),
  x: Float64Array.from(points, ({ x }) => x),
  y: Float64Array.from(points, ({ y }) => y),
  stands: Int32Array.from(points, ({ stands }) => stands ?? 1),
  flagged: new Uint8Array(points.length),
  unitsInView: points.length,
});

const toBoxes = (labels: UnitLabels): Box[] =>
  Array.from({ length: labels.count }, (_, i) => ({
    left: labels.x[i]!,
    right: labels.x[i]! + widthOf(labels.text[i]!),
    top: labels.y[i]! - LABEL_HEIGHT_PX / 2,
    bottom: labels.y[i]! + LABEL_HEIGHT_PX / 2,
  }));

const isTouching = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const textsOf = (labels: UnitLabels): string[] => labels.text.slice(0, labels.count);

describe('LabelPlacer', () => {
  it.each([4, 6, 8, 10, 13])('overlaps no glyph, count or other label at zoom %i', (zoom) => {
    const view = createView(zoom);
    const glyphs = new Declutter().run(createRandomUnits(2000), view);
    const boxes = toBoxes(new LabelPlacer().run(glyphs, view, numberOf, widthOf, null));
    expect(boxes.length).toBeGreaterThan(2);
    const taken: Box[] = [...boxes];
    for (let i = 0; i < glyphs.count; i++) {
      const [x, y] = [glyphs.x[i]!, glyphs.y[i]!];
      taken.push({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 });
      if (glyphs.stands[i] === 1) continue;
      const [left, top] = [x + BADGE_LEFT_PX, y + BADGE_TOP_PX];
      const width = badgeWidthPx(toCountText(glyphs.stands[i]!));
      taken.push({ left, right: left + width, top, bottom: top + BADGE_HEIGHT_PX });
    }
    expect(boxes.filter((box) => taken.some((other) => other !== box && isTouching(box, other)))).toEqual([]);
  });

  it('shows more at deeper zooms', () => {
    const points = Array.from({ length: 400 }, (_, i) => ({
      x: 20 + (i % 20) * 78,
      y: 20 + Math.floor(i / 20) * 43,
    }));
    const countAt = (zoom: number) =>
      new LabelPlacer().run(glyphsAt(points), createView(zoom), numberOf, widthOf, null).count;
    expect([4, 6, 10].map(countAt)).toEqual([25, 120, 320]);
  });

  it('labels no glyph that stands for several', () => {
    const glyphs = glyphsAt([
      { x: 100, y: 100, stands: 3 },
      { x: 300, y: 100 },
    ]);
    expect(textsOf(new LabelPlacer().run(glyphs, createView(8), numberOf, widthOf, null))).toEqual(['1']);
  });

  it('keeps a label, and its side, when a more important neighbor wants the room', () => {
    const placer = new LabelPlacer();
    const view = createView(8);
    placer.run(glyphsAt([{ x: 400, y: 100 }]), view, () => 'first', widthOf, null);
    const glyphs = glyphsAt([
      { x: 445, y: 100 },
      { x: 400, y: 100 },
    ]);
    glyphs.row.set([9, 0]);
    const labels = placer.run(glyphs, view, (row) => (row === 9 ? 'second' : 'f'), widthOf, null);
    expect(labels.text[0]).toBe('f');
    expect(labels.x[0]).toBe(412);
  });

  it('moves a label to another side where its own is taken', () => {
    const glyphs = glyphsAt([
      { x: 400, y: 100 },
      { x: 425, y: 100 },
    ]);
    const labels = new LabelPlacer().run(glyphs, createView(8), () => '12345', widthOf, null);
    expect(labels.x[0]).toBe(400 - 12 - 35);
  });

  it('stays off the selected unit’s pill, and gives that unit no second label', () => {
    const pill = { left: 405, top: 90, right: 460, bottom: 110 };
    const glyphs = glyphsAt([
      { x: 800, y: 100 },
      { x: 400, y: 100 },
    ]);
    const labels = new LabelPlacer().run(glyphs, createView(8), numberOf, widthOf, { glyph: 0, pill });
    expect(textsOf(labels)).toEqual(['1']);
    expect(toBoxes(labels).some((box) => isTouching(box, pill))).toBe(false);
  });

  it('leaves out a unit without a number, and labels that would leave the view', () => {
    const view = createView(8);
    const nameless = new LabelPlacer().run(glyphsAt([{ x: 400, y: 100 }]), view, () => null, widthOf, null);
    expect(nameless.count).toBe(0);
    const atEdge = new LabelPlacer().run(glyphsAt([{ x: 2, y: 2 }]), view, numberOf, widthOf, null);
    expect(atEdge.count).toBe(0);
  });
});
