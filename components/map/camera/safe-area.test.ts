import { describe, expect, it } from 'vitest';
import { isCovered, toReveal, toUncoveredCenter } from './safe-area';

const SIZE = { width: 1200, height: 800 };
const PANEL = { top: 0, right: 400, bottom: 0, left: 0 };

describe('toUncoveredCenter', () => {
  it('is the middle of what a panel leaves free', () => {
    expect(toUncoveredCenter(SIZE, PANEL)).toEqual({ x: 400, y: 400 });
    expect(toUncoveredCenter(SIZE, { top: 60, right: 0, bottom: 340, left: 0 })).toEqual({ x: 600, y: 260 });
  });

  it('stays on the map when everything is covered', () => {
    expect(toUncoveredCenter(SIZE, { top: 0, right: 0, bottom: 900, left: 0 })).toEqual({ x: 600, y: 0 });
  });
});

describe('toReveal', () => {
  it('does not move the map for a unit in the free area', () => {
    expect(toReveal({ x: 300, y: 300 }, SIZE, PANEL)).toEqual({ x: 0, y: 0 });
  });

  it('moves one out from under the panel, and no further than needed', () => {
    expect(toReveal({ x: 1000, y: 300 }, SIZE, PANEL)).toEqual({ x: 1000 - (800 - 56), y: 0 });
    expect(toReveal({ x: 10, y: 300 }, SIZE, PANEL)).toEqual({ x: 10 - 56, y: 0 });
  });

  it('brings one that is out of view to the middle of what is free', () => {
    expect(toReveal({ x: 2400, y: 100 }, SIZE, PANEL)).toEqual({ x: 2000, y: -300 });
  });

  it('aims for the middle of a strip that is narrower than its margins', () => {
    const sheet = { top: 0, right: 0, bottom: 720, left: 0 };
    expect(toReveal({ x: 600, y: 700 }, SIZE, sheet)).toEqual({ x: 0, y: 660 });
  });
});

describe('isCovered', () => {
  it('distinguishes a point under the panel, or half under it, from one beside it', () => {
    expect(isCovered({ x: 900, y: 400 }, SIZE, PANEL)).toBe(true);
    expect(isCovered({ x: 790, y: 400 }, SIZE, PANEL)).toBe(true);
    // Where `toReveal` puts it, and a little nearer: a truck drives on while a page loads.
    expect(isCovered({ x: 750, y: 400 }, SIZE, PANEL)).toBe(false);
  });

  it('treats nothing as covered at an open edge, or out of view', () => {
    expect(isCovered({ x: 2, y: 2 }, SIZE, PANEL)).toBe(false);
    expect(isCovered({ x: 1300, y: 400 }, SIZE, PANEL)).toBe(false);
  });
});
