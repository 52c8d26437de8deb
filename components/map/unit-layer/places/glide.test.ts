import { describe, expect, it } from 'vitest';
import { GLIDE_MAX_MS, GLIDE_MIN_MS, Glide, glideMs } from './glide';

const createAt = (x: number, y: number): Glide => {
  const glide = new Glide();
  glide.reserve(1);
  glide.moveTo(0, x, y, 0, 0);
  return glide;
};

describe('glideMs', () => {
  it('takes as long as lies between the fixes, within bounds', () => {
    expect(glideMs(1000, 1004)).toBe(4000);
    expect(glideMs(1000, 1060)).toBe(GLIDE_MAX_MS);
    expect(glideMs(1000.9, 1001)).toBe(GLIDE_MIN_MS);
  });

  it('jumps to a first fix, over a long gap, and when the clock went back', () => {
    expect(glideMs(0, 1000)).toBe(0);
    expect(glideMs(1000, 1000 + 3600)).toBe(0);
    expect(glideMs(1000, 990)).toBe(0);
  });
});

describe('glideMs at the pace of a played past', () => {
  it('takes the time between the fixes divided by the pace, across the fixes that a step leaves out', () => {
    expect(glideMs(1000, 1030, 10)).toBe(3000);
    expect(glideMs(1000, 1060, 60)).toBe(1000);
    expect(glideMs(1000, 1600, 600)).toBe(1000);
  });

  it('jumps over a gap that is longer than a step explains, and where time stands still', () => {
    expect(glideMs(1000, 1000 + 880, 600)).toBeGreaterThan(0);
    expect(glideMs(1000, 1000 + 880, 60)).toBe(0);
    expect(glideMs(1000, 1010, 0)).toBe(0);
  });
});

describe('Glide', () => {
  it('is halfway between two fixes after half the time', () => {
    const glide = createAt(0.2, 0.4);
    glide.moveTo(0, 0.4, 0.6, 1000, 2000);
    glide.advance(2000);
    expect(glide.x[0]).toBeCloseTo(0.3, 7);
    expect(glide.y[0]).toBeCloseTo(0.5, 7);
    expect(glide.gliding).toBe(1);
  });

  it('stops at the last fix and never runs beyond it', () => {
    const glide = createAt(0.2, 0.4);
    glide.moveTo(0, 0.4, 0.6, 1000, 2000);
    glide.advance(60_000);
    expect([glide.x[0], glide.y[0], glide.gliding]).toEqual([0.4, 0.6, 0]);
  });

  it('stays where it was drawn when the clock of the page goes back', () => {
    const glide = createAt(0.2, 0.4);
    glide.moveTo(0, 0.4, 0.6, 1000, 2000);
    glide.advance(500);
    expect(glide.x[0]).toBeCloseTo(0.2, 7);
  });

  it('goes on from where it is drawn when a newer fix comes midway', () => {
    const glide = createAt(0.2, 0.4);
    glide.moveTo(0, 0.4, 0.4, 0, 1000);
    glide.advance(500);
    glide.moveTo(0, 0.5, 0.4, 500, 1000);
    glide.advance(500);
    expect(glide.x[0]).toBeCloseTo(0.3, 7);
    glide.advance(1500);
    expect(glide.x[0]).toBe(0.5);
    expect(glide.gliding).toBe(0);
  });

  it('appears at its first place and vanishes without a glide', () => {
    const glide = new Glide();
    glide.reserve(2);
    glide.moveTo(1, 0.3, 0.3, 0, 5000);
    expect(glide.x[1]).toBe(0.3);
    glide.moveTo(1, NaN, NaN, 10, 5000);
    expect(glide.x[1]).toBeNaN();
    expect(glide.gliding).toBe(0);
  });

  it('lets a jump end a glide under way', () => {
    const glide = createAt(0.2, 0.4);
    glide.moveTo(0, 0.4, 0.6, 0, 1000);
    glide.moveTo(0, 0.9, 0.9, 100, 0);
    glide.advance(500);
    expect([glide.x[0], glide.y[0], glide.gliding]).toEqual([0.9, 0.9, 0]);
  });

  it('keeps places when it grows', () => {
    const glide = createAt(0.2, 0.4);
    glide.reserve(10);
    expect(glide.x[0]).toBe(0.2);
    expect(glide.x[9]).toBeNaN();
  });

  it('returns the speed of the fastest of some rows', () => {
    const glide = new Glide();
    glide.reserve(2);
    for (const row of [0, 1]) glide.moveTo(row, 0, 0, 0, 0);
    glide.moveTo(0, 0.003, 0.004, 0, 1000);
    glide.moveTo(1, 0.3, 0.4, 0, 1000);
    expect(glide.fastest([0], 1)).toBeCloseTo(5e-6, 12);
    expect(glide.fastest([0, 1], 2)).toBeCloseTo(5e-4, 12);
  });
});
