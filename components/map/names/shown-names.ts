import { BoxIndex, type Point } from '../box-index';
import type { View } from '../unit-layer/scene/glyphs';
import type { NameSheet } from './name-sheet';

/** A covered name is drawn again once it has been free for longer than a poll, so that it does not flicker. */
export const FREE_FOR_MS = 15_000;

/** Where a mark of an overlay is, on the world's square from 0 to 1. */
export type Mark = Point;

/** Half the width of an overlay's mark, CSS pixels. */
export const MARK_HALF_PX = 10;

/** The boxes of marks in a view, which names avoid. */
export const toMarkBoxes = (
  marks: readonly Mark[],
  { left, top, worldSizePx }: Pick<View, 'left' | 'top' | 'worldSizePx'>,
): BoxIndex => {
  const boxes = new BoxIndex();
  for (const mark of marks) {
    const [x, y] = [mark.x * worldSizePx - left, mark.y * worldSizePx - top];
    boxes.add(x - MARK_HALF_PX, y - MARK_HALF_PX, x + MARK_HALF_PX, y + MARK_HALF_PX);
  }
  return boxes;
};

export type IsCovered = (left: number, top: number, right: number, bottom: number) => boolean;

/** Chooses the names of a frame: none that a unit or its label covers, and none right after it did. */
export class ShownNames {
  #sheet: NameSheet | null = null;
  /** When each name became free: Infinity while it is covered, −Infinity for one that never was. */
  #freeSinceMs = new Float64Array(0);
  #shown: number[] = [];
  #nextAtMs = Infinity;

  get sheet(): NameSheet | null {
    return this.#sheet;
  }

  /** When the first hidden name that is free may be drawn; Infinity if none waits. */
  get nextAtMs(): number {
    return this.#nextAtMs;
  }

  /** Takes a newer sheet; names that it shares with the last one keep their state. Null: there are none. */
  take(sheet: NameSheet | null): void {
    const known = new Map<string, number>();
    this.#sheet?.names.forEach(({ key }, i) => {
      if (this.#freeSinceMs[i] !== -Infinity) known.set(key, this.#freeSinceMs[i]!);
    });
    const isSameZoom = this.#sheet?.zoom === sheet?.zoom;
    this.#freeSinceMs = Float64Array.from(sheet?.names ?? [], ({ key }) =>
      isSameZoom ? (known.get(key) ?? -Infinity) : -Infinity,
    );
    this.#sheet?.picture.close();
    this.#sheet = sheet;
  }

  /** The indexes of the names to draw: none while the view is at another zoom than the sheet's. */
  run(view: View, isCovered: IsCovered, nowMs: number): readonly number[] {
    this.#shown.length = 0;
    this.#nextAtMs = Infinity;
    if (!this.#sheet || 256 * 2 ** this.#sheet.zoom !== view.worldSizePx) return this.#shown;
    this.#sheet.names.forEach(({ covers }, i) => {
      const [left, top] = [covers.left - view.left, covers.top - view.top];
      const [right, bottom] = [covers.right - view.left, covers.bottom - view.top];
      // A name at the edge is cut by it: one that is left out there would come and go while the map moves.
      if (right < 0 || bottom < 0 || left > view.width || top > view.height) return;
      if (isCovered(left, top, right, bottom)) this.#freeSinceMs[i] = Infinity;
      else if (this.#freeSinceMs[i] === Infinity) this.#freeSinceMs[i] = nowMs;
      const drawnAtMs = this.#freeSinceMs[i]! + FREE_FOR_MS;
      if (drawnAtMs <= nowMs) this.#shown.push(i);
      else this.#nextAtMs = Math.min(this.#nextAtMs, drawnAtMs);
    });
    return this.#shown;
  }
}
