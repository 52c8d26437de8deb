import { UnitScene } from '@/components/map/unit-layer/scene/unit-scene';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import type { View } from '@/components/map/unit-layer/scene/glyphs';
import type { Fleet } from '@/lib/wire/fleet';
import { createPageFleet, moveFleet } from './page-fleet';
import type { Places } from './candidate';

/** Compares two frames of a fleet, one poll apart, with a plain count. */
export interface DeclutterCheck {
  glyphs: number;
  /** Units in view by the glyphs, and one by one. */
  unitsInView: number;
  unitsCounted: number;
  /** Flagged units in view whose glyph shows no flag, and whether the selected one lacks a glyph of its own. */
  hiddenFlagged: number;
  isSelectedHidden: boolean;
  /** Glyphs whose unit has not moved half a pixel, and those of them that the next frame draws no longer. */
  stayed: number;
  vanished: number;
  /** The same had the second frame forgotten the first. */
  vanishedStateless: number;
}

const [WIDTH, HEIGHT] = [1600, 900];
const STILL_PX = 0.5;
const NO_TEXTS = { labelWidth: () => 40, pillWidth: () => 60 };

const toView = (zoom: number, lat: number, lng: number): View => {
  const worldSizePx = 256 * 2 ** zoom;
  return {
    left: toMercatorX(lng) * worldSizePx - WIDTH / 2,
    top: toMercatorY(lat) * worldSizePx - HEIGHT / 2,
    width: WIDTH,
    height: HEIGHT,
    worldSizePx,
  };
};

const show = (scene: UnitScene, fleet: Fleet, selectedRow: number): void =>
  scene.update(
    { fleet, visible: null, selectedRow, track: null, unconfirmed: null, pace: 0 },
    performance.now(),
  );

const rowsInView = (scene: UnitScene, rows: number, view: View): number[] =>
  Array.from({ length: rows }, (_, row) => row).filter((row) => {
    const at = scene.placeOf(row, view);
    return at !== null && at.x >= 0 && at.y >= 0 && at.x < view.width && at.y < view.height;
  });

const readDrawn = (scene: UnitScene): Map<number, { x: number; y: number }> => {
  const { count, row, x, y } = scene.glyphs;
  return new Map(Array.from({ length: count }, (_, glyph) => [row[glyph]!, { x: x[glyph]!, y: y[glyph]! }]));
};

/** Checks a frame about a place and the frame after the units went to `next`. */
export const checkDeclutter = (
  before: Places,
  next: Places,
  zoom: number,
  { lat, lng }: { lat: number; lng: number },
): DeclutterCheck => {
  const view = toView(zoom, lat, lng);
  const fleet = createPageFleet(before);
  const scene = new UnitScene();
  show(scene, fleet, 0);
  const [selectedRow = 0] = rowsInView(scene, fleet.rows, view);
  show(scene, fleet, selectedRow);
  scene.compose(view, NO_TEXTS);
  const { count, unitsInView } = scene.glyphs;
  const inView = rowsInView(scene, fleet.rows, view);

  const shownFlagged = new Set<number>();
  for (let glyph = 0; glyph < count; glyph++) {
    if (scene.glyphs.flagged[glyph] === 0) continue;
    for (const row of scene.members(glyph)) shownFlagged.add(row);
  }
  const hiddenFlagged = inView.filter(
    (row) => fleet.columns.flags[row] !== 0 && row !== selectedRow && !shownFlagged.has(row),
  );
  const drawn = readDrawn(scene);

  const moved = moveFleet(fleet, next);
  show(scene, moved, selectedRow);
  scene.compose(view, NO_TEXTS);
  const drawnNext = readDrawn(scene);
  const stateless = new UnitScene();
  show(stateless, moved, selectedRow);
  stateless.compose(view, NO_TEXTS);
  const drawnStateless = readDrawn(stateless);

  const stayed = [...drawn].filter(([row, { x, y }]) => {
    const at = scene.placeOf(row, view);
    return at !== null && Math.hypot(at.x - x, at.y - y) < STILL_PX;
  });
  return {
    glyphs: count,
    unitsInView,
    unitsCounted: inView.length,
    hiddenFlagged: hiddenFlagged.length,
    isSelectedHidden: !drawn.has(selectedRow),
    stayed: stayed.length,
    vanished: stayed.filter(([row]) => !drawnNext.has(row)).length,
    vanishedStateless: stayed.filter(([row]) => !drawnStateless.has(row)).length,
  };
};
