import { useSyncExternalStore } from 'react';
import { findPoint, type Trail } from '@/lib/trips/trail';
import { Listeners } from '@/lib/base/listeners';

export const SPEEDS = [1, 10, 60, 300, 600] as const;
export const USUAL_SPEED = 60;

/** The moment that a day's bar, map and list show. */
export interface PlayerState {
  /** Unix ms; null: that of the range, until one is chosen. */
  atMs: number | null;
  /** The moment under the pointer or the focus, which is shown instead. */
  peekMs: number | null;
  isPlaying: boolean;
  /** Seconds of the day in one of the clock. */
  speed: number;
}

interface PlayedRange {
  fromMs: number;
  endMs: number;
  /** What is shown before a moment is chosen. */
  firstMs: number;
}

const NO_RANGE: PlayedRange = { fromMs: 0, endMs: 0, firstMs: 0 };

/** Plays a range of time. It lives outside of React, because a moment that plays changes with every frame. */
export class DayPlayer {
  readonly #listeners = new Listeners();
  #state: PlayerState;
  #range = NO_RANGE;
  #frame = 0;
  #drawnAtMs = 0;

  constructor(state: Pick<PlayerState, 'atMs' | 'speed'>) {
    this.#state = { ...state, peekMs: null, isPlaying: false };
  }

  readonly read = (): PlayerState => this.#state;
  readonly subscribe = this.#listeners.add;
  /** The moment on the screen, Unix ms. */
  readonly readShownMs = (): number => this.#state.peekMs ?? this.readAtMs();

  /** The same for texts: to the second, and while it plays in ten steps a second, as many as one can read. */
  readonly readTextMs = (): number => {
    const { isPlaying, peekMs, speed } = this.#state;
    const stepMs = isPlaying && peekMs === null ? Math.max(1000, speed * 100) : 1000;
    return Math.floor(this.readShownMs() / stepMs) * stepMs;
  };

  readAtMs(): number {
    const { fromMs, endMs, firstMs } = this.#range;
    return Math.min(endMs, Math.max(fromMs, this.#state.atMs ?? firstMs));
  }

  setRange(range: PlayedRange): void {
    this.#range = range;
    this.#listeners.notify();
  }

  seek(atMs: number | null): void {
    this.#change({ atMs, peekMs: null });
  }

  peek(peekMs: number | null): void {
    if (peekMs !== this.#state.peekMs) this.#change({ peekMs });
  }

  setSpeed(speed: number): void {
    this.#change({ speed });
  }

  /** Goes to the fix before or after the moment on the screen. */
  step({ points }: Pick<Trail, 'points'>, by: -1 | 1): void {
    const atMs = this.readShownMs();
    const { fromMs, endMs } = this.#range;
    const index = findPoint({ points }, by > 0 ? atMs : atMs - 1) + (by > 0 ? 1 : 0);
    const fixAtMs = points[index]?.fixAtMs ?? (by > 0 ? endMs : fromMs);
    this.pause();
    this.seek(Math.min(endMs, Math.max(fromMs, fixAtMs)));
  }

  toggle(): void {
    if (this.#state.isPlaying) return this.pause();
    const atMs = this.readAtMs();
    this.#drawnAtMs = performance.now();
    this.#change({
      atMs: atMs >= this.#range.endMs ? this.#range.fromMs : atMs,
      peekMs: null,
      isPlaying: true,
    });
    this.#frame = requestAnimationFrame(this.#onFrame);
  }

  pause(): void {
    cancelAnimationFrame(this.#frame);
    if (this.#state.isPlaying) this.#change({ isPlaying: false });
  }

  readonly #onFrame = (): void => {
    const nowMs = performance.now();
    const atMs = this.readAtMs() + (nowMs - this.#drawnAtMs) * this.#state.speed;
    this.#drawnAtMs = nowMs;
    if (atMs < this.#range.endMs) this.#frame = requestAnimationFrame(this.#onFrame);
    this.#change({ atMs: Math.min(atMs, this.#range.endMs), isPlaying: atMs < this.#range.endMs });
  };

  #change(patch: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...patch };
    this.#listeners.notify();
  }
}

const readNothing = (): number => 0;

/** A value of the shown moment; the component renders again when the value changes. */
export const useShown = <T extends number | string | boolean | null>(
  player: DayPlayer,
  toValue: (shownMs: number) => T,
): T =>
  useSyncExternalStore(
    player.subscribe,
    () => toValue(player.readShownMs()),
    () => toValue(readNothing()),
  );

/** The shown moment for texts, Unix ms. */
export const useShownText = (player: DayPlayer): number =>
  useSyncExternalStore(player.subscribe, player.readTextMs, readNothing);

/** A value of the player's state, such as its speed; the component renders again when the value changes. */
export const usePlayer = <T extends number | boolean>(
  player: DayPlayer,
  toValue: (state: PlayerState) => T,
): T => {
  const read = (): T => toValue(player.read());
  return useSyncExternalStore(player.subscribe, read, read);
};
