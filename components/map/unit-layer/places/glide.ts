/** Longest and shortest time in which a unit is drawn from its last place to its newest. */
export const GLIDE_MAX_MS = 10_000;
export const GLIDE_MIN_MS = 400;
/** Fixes further apart than this are not joined: the way between them is unknown. */
const GLIDE_MAX_GAP_MS = 5 * 60_000;
/** How often the past is shown again while it is played. */
const STEP_MS = 1000;

/**
 * How long to glide between two fixes, ms; 0 for a jump. `pace` is how many times faster than life time passes, 0 for
 * no motion. A past that is played faster is shown once a second, so that fixes between the two were left out.
 */
export const glideMs = (fromFixAtS: number, toFixAtS: number, pace = 1): number => {
  const gapMs = (toFixAtS - fromFixAtS) * 1000;
  const mostGapMs = GLIDE_MAX_GAP_MS + (pace > 1 ? pace * STEP_MS : 0);
  if (pace <= 0 || fromFixAtS <= 0 || gapMs <= 0 || gapMs > mostGapMs) return 0;
  return Math.max(GLIDE_MIN_MS, Math.min(GLIDE_MAX_MS, gapMs / pace));
};

/** Where each row is drawn, Web Mercator 0…1, NaN for nowhere: never ahead of its last fix. */
export class Glide {
  x = new Float64Array(0);
  y = new Float64Array(0);
  #toX = new Float64Array(0);
  #toY = new Float64Array(0);
  /** Worlds a millisecond, and when it ends: all that a frame reads of a gliding row. */
  #speedX = new Float32Array(0);
  #speedY = new Float32Array(0);
  #endMs = new Float64Array(0);
  /** Rows on their way: the first #gliding entries. */
  #active = new Int32Array(0);
  #isActive = new Uint8Array(0);
  #gliding = 0;
  /** When a row was last sent: no frame shows an earlier time, even if the clock goes back. */
  #sentMs = 0;

  /** Makes room for rows 0…rows − 1; what is there stays. */
  reserve(rows: number): void {
    if (rows <= this.x.length) return;
    const grow = <A extends Float64Array | Float32Array | Int32Array | Uint8Array>(
      held: A,
      fill: number,
    ): A => {
      const grown = new (held.constructor as new (length: number) => A)(rows);
      if (fill !== 0) grown.fill(fill);
      grown.set(held);
      return grown;
    };
    this.x = grow(this.x, NaN);
    this.y = grow(this.y, NaN);
    this.#toX = grow(this.#toX, NaN);
    this.#toY = grow(this.#toY, NaN);
    this.#speedX = grow(this.#speedX, 0);
    this.#speedY = grow(this.#speedY, 0);
    this.#endMs = grow(this.#endMs, 0);
    this.#active = grow(this.#active, 0);
    this.#isActive = grow(this.#isActive, 0);
  }

  /** Sends a row to a place; at once where `lastsMs` is 0 or it was nowhere before. */
  moveTo(row: number, x: number, y: number, nowMs: number, lastsMs: number): void {
    this.#toX[row] = x;
    this.#toY[row] = y;
    if (lastsMs <= 0 || Number.isNaN(this.x[row]!) || Number.isNaN(x)) {
      this.x[row] = x;
      this.y[row] = y;
      this.#endMs[row] = 0;
      return;
    }
    this.#speedX[row] = (x - this.x[row]!) / lastsMs;
    this.#speedY[row] = (y - this.y[row]!) / lastsMs;
    this.#endMs[row] = nowMs + lastsMs;
    this.#sentMs = Math.max(this.#sentMs, nowMs);
    if (this.#isActive[row]) return;
    this.#isActive[row] = 1;
    this.#active[this.#gliding++] = row;
  }

  /** Moves every gliding row to where it is at a time. */
  advance(nowMs: number): void {
    const atMs = Math.max(nowMs, this.#sentMs);
    let kept = 0;
    for (let i = 0; i < this.#gliding; i++) {
      const row = this.#active[i]!;
      const leftMs = this.#endMs[row]! - atMs;
      if (leftMs <= 0) {
        this.x[row] = this.#toX[row]!;
        this.y[row] = this.#toY[row]!;
        this.#isActive[row] = 0;
        continue;
      }
      this.x[row] = this.#toX[row]! - this.#speedX[row]! * leftMs;
      this.y[row] = this.#toY[row]! - this.#speedY[row]! * leftMs;
      this.#active[kept++] = row;
    }
    this.#gliding = kept;
  }

  /** Ends every glide at its place: for readers who want no motion. */
  finish(): void {
    this.advance(Infinity);
  }

  get gliding(): number {
    return this.#gliding;
  }

  /** The fastest of these rows, in worlds a millisecond; 0 when none of them moves. */
  fastest(rows: ArrayLike<number>, count: number): number {
    let fastest = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      if (this.#isActive[row])
        fastest = Math.max(fastest, Math.hypot(this.#speedX[row]!, this.#speedY[row]!));
    }
    return fastest;
  }
}
