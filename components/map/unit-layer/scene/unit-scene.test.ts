import { describe, expect, it } from 'vitest';
import { NO_POSITION } from '@/lib/wire/fleet';
import { toFlagMask } from '@/lib/motion/status';
import { createFleet } from '@/testing/map/create-fleet';
import { createView } from '@/testing/map/random-units';
import { UnitScene, type UnitSceneInput } from './unit-scene';

const TEXTS = {
  labelWidth: (text: string) => 7 * text.length,
  pillWidth: (text: string) => 8 * text.length + 18,
};
const VIEW = createView(10, { lat: 35, lng: -101 });

const createInput = (more: Partial<UnitSceneInput> = {}): UnitSceneInput => ({
  fleet: createFleet([
    { latE5: 3_500_000, lngE5: -10_100_000, fixAtS: 1000 },
    { latE5: 3_500_000, lngE5: -10_080_000, fixAtS: 1000, flags: 1 },
    { latE5: 3_500_000, lngE5: -10_079_999, fixAtS: 1000 },
    { latE5: NO_POSITION, lngE5: NO_POSITION },
    { latE5: 4_500_000, lngE5: -9_000_000, fixAtS: 1000 },
  ]),
  visible: null,
  selectedRow: null,
  track: null,
  unconfirmed: null,
  pace: 1,
  ...more,
});

describe('UnitScene', () => {
  it('composes nothing before there is a fleet', () => {
    const scene = new UnitScene();
    scene.update(createInput({ fleet: null }), 0);
    expect(scene.compose(VIEW, TEXTS)).toBeNull();
  });

  it('stands for every unit in view, and labels the one that stands alone', () => {
    const scene = new UnitScene();
    scene.update(createInput(), 0);
    const { glyphs, labels } = scene.compose(VIEW, TEXTS)!;
    expect(glyphs.unitsInView).toBe(3);
    expect(labels.text.slice(0, labels.count)).toEqual(['100']);
    expect(scene.members(0)).toEqual([1, 2]);
  });

  it('puts the selected unit first, with its own place and number', () => {
    const scene = new UnitScene();
    scene.update(createInput({ selectedRow: 2 }), 0);
    const { selected, glyphs, labels } = scene.compose(VIEW, TEXTS)!;
    expect(selected).toMatchObject({ glyph: 0, text: '102', newestFixAtMs: 1_000_000 });
    expect([glyphs.row[0], glyphs.stands[0], glyphs.flagged[0]]).toEqual([2, 2, 1]);
    expect(labels.text.slice(0, labels.count)).toEqual(['100']);
  });

  it('keeps the selected unit while it is out of view, without a glyph', () => {
    const scene = new UnitScene();
    scene.update(createInput({ selectedRow: 4 }), 0);
    const { selected } = scene.compose(VIEW, TEXTS)!;
    expect(selected?.glyph).toBe(-1);
    expect(selected!.x).toBeGreaterThan(VIEW.width);
  });

  it('draws only what passes the filter, and bounds only that', () => {
    const scene = new UnitScene();
    scene.update(createInput({ visible: Uint8Array.of(1, 0, 0, 1, 0) }), 0);
    expect(scene.compose(VIEW, TEXTS)!.glyphs.unitsInView).toBe(1);
    const [south, west, north, east] = scene.boundsOf(null)!;
    expect([south, north].map((lat) => Math.round(lat * 1e5))).toEqual([3_500_000, 3_500_000]);
    expect([west, east].map((lng) => Math.round(lng * 1e5))).toEqual([-10_100_000, -10_100_000]);
    expect(scene.boundsOf([3])).toBeNull();
  });

  it('draws and bounds units on both sides of the date line beside each other', () => {
    const scene = new UnitScene();
    const [guam, hawaii] = [144.75, -157.86];
    const places = [guam, hawaii].map((lng) => ({
      ...{ latE5: 1_500_000, lngE5: Math.round(lng * 1e5), fixAtS: 1000 },
    }));
    scene.update(createInput({ fleet: createFleet(places) }), 0);
    const [, west, , east] = scene.boundsOf(null)!;
    expect(west).toBeCloseTo(guam - 360, 4);
    expect(east).toBeCloseTo(hawaii, 4);
    expect(scene.boundsOf([0])![1]).toBeCloseTo(guam - 360, 4);
  });

  it('leaves implausible positions out of what a fleet is fitted to', () => {
    const scene = new UnitScene();
    const places = [
      { latE5: 3_500_000, lngE5: -10_100_000, fixAtS: 1000 },
      { latE5: 3_600_000, lngE5: 10_100_000, fixAtS: 1000, flags: toFlagMask(['implausiblePosition']) },
    ];
    scene.update(createInput({ fleet: createFleet(places) }), 0);
    expect(scene.boundsOf(null)!.map(Math.round)).toEqual([35, -101, 35, -101]);
    expect(scene.boundsOf([1])!.map(Math.round)).toEqual([36, 101, 36, 101]);
  });

  it('is worth a new frame only once a drawn unit has moved half a pixel', () => {
    const scene = new UnitScene();
    const input = createInput();
    scene.update(input, 0);
    scene.compose(VIEW, TEXTS);
    const fleet = { ...input.fleet!, version: 'a.2' };
    // 0.005° are 3.6 pixels at zoom 10, gone in ten seconds.
    fleet.columns.lngE5[0]! += 500;
    fleet.columns.fixAtS[0]! += 10;
    scene.update({ ...input, fleet }, 0);
    expect(scene.advance(1000)).toBe(1);
    expect(scene.hasMoved(VIEW)).toBe(false);
    scene.advance(2000);
    expect(scene.hasMoved(VIEW)).toBe(true);
    expect(scene.fastest(VIEW)).toBeCloseTo(3.64 / 10_000, 6);
    scene.compose(VIEW, TEXTS);
    expect(scene.hasMoved(VIEW)).toBe(false);
    expect(scene.advance(10_000)).toBe(0);
  });

  it('jumps for readers who want no motion, also in the middle of a glide', () => {
    const scene = new UnitScene();
    const input = createInput();
    scene.update(input, 0);
    const fleet = { ...input.fleet!, version: 'a.2' };
    fleet.columns.lngE5[0]! += 500;
    fleet.columns.fixAtS[0]! += 10;
    scene.update({ ...input, fleet }, 0);
    expect(scene.advance(10)).toBe(1);
    scene.update({ ...input, fleet, pace: 0 }, 20);
    expect(scene.advance(20)).toBe(0);
    expect(scene.placeOf(0, VIEW)!.x).toBeCloseTo(VIEW.width / 2 + 3.64, 1);
  });
});
