/** A rectangle; y grows downward. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Point {
  x: number;
  y: number;
}

export const middleOf = ({ left, top, right, bottom }: Box): Point => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});

const BUCKET_PX = 64;
/** Buckets a row of the plane; wide enough that neighbors of a screen never share one by wrapping. */
const STRIDE = 4096;

/** Rectangles of a screen, and whether another one would touch any of them. Pixels, y down. */
export class BoxIndex {
  #boxes: number[] = [];
  #buckets = new Map<number, number[]>();

  clear(): void {
    this.#boxes.length = 0;
    this.#buckets.clear();
  }

  /** Adds a box; with an `owner`, so that a symbol need not avoid itself. */
  add(left: number, top: number, right: number, bottom: number, owner = -1): void {
    const at = this.#boxes.length;
    this.#boxes.push(left, top, right, bottom, owner);
    this.#eachBucket(left, top, right, bottom, (key) => {
      const bucket = this.#buckets.get(key);
      if (bucket) bucket.push(at);
      else this.#buckets.set(key, [at]);
      return false;
    });
  }

  /** Whether a box touches one that is not `owner`'s own. */
  hits(left: number, top: number, right: number, bottom: number, owner = -2): boolean {
    const boxes = this.#boxes;
    return this.#eachBucket(left, top, right, bottom, (key) => {
      const bucket = this.#buckets.get(key);
      if (!bucket) return false;
      for (const at of bucket) {
        if (boxes[at]! >= right || boxes[at + 2]! <= left) continue;
        if (boxes[at + 1]! >= bottom || boxes[at + 3]! <= top) continue;
        if (boxes[at + 4] !== owner) return true;
      }
      return false;
    });
  }

  #eachBucket(
    left: number,
    top: number,
    right: number,
    bottom: number,
    visit: (key: number) => boolean,
  ): boolean {
    const toColumn = Math.floor(right / BUCKET_PX);
    const toRow = Math.floor(bottom / BUCKET_PX);
    for (let row = Math.floor(top / BUCKET_PX); row <= toRow; row++) {
      for (let column = Math.floor(left / BUCKET_PX); column <= toColumn; column++) {
        if (visit(row * STRIDE + column)) return true;
      }
    }
    return false;
  }
}
