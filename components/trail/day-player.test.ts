import { afterEach, expect, it, vi } from 'vitest';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import { DayPlayer } from './day-player';

afterEach(() => {
  vi.unstubAllGlobals();
});

const atMs = (minutes: number): number => START_MS + minutes * MINUTE_MS;
const points = [0, 1, 2, 3].map((minute) => ({
  ...fixAt(minute, 0),
  link: 'seen' as const,
  speedKph: null,
  headingDeg: null,
}));

it('shows the first moment of its range until one is chosen, and steps from fix to fix from the moment on the screen', () => {
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  const player = new DayPlayer({ atMs: null, speed: 60 });
  player.setRange({ fromMs: atMs(-60), endMs: atMs(60), firstMs: atMs(0) });
  expect(player.readShownMs()).toBe(atMs(0));
  player.seek(atMs(0.5));
  player.step({ points }, 1);
  expect(player.readShownMs()).toBe(atMs(1));
  player.peek(atMs(2.5));
  player.step({ points }, 1);
  expect(player.readShownMs()).toBe(atMs(3));
});

it('changes texts of a moment that plays ten times a second, and else with each second', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  const player = new DayPlayer({ atMs: atMs(0) + 7_999, speed: 60 });
  player.setRange({ fromMs: atMs(-60), endMs: atMs(60), firstMs: atMs(0) });
  expect(player.readTextMs()).toBe(atMs(0) + 7000);
  player.toggle();
  expect(player.readTextMs()).toBe(atMs(0) + 6000);
  player.peek(atMs(0) + 7_500);
  expect(player.readTextMs()).toBe(atMs(0) + 7000);
  player.peek(null);
  player.setSpeed(1);
  expect(player.readTextMs()).toBe(atMs(0) + 7000);
  player.pause();
  expect(player.readTextMs()).toBe(atMs(0) + 7000);
});
