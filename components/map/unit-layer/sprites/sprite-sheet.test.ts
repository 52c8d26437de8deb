import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpriteSheet, type Sprite } from './sprite-sheet';

/** A canvas that holds nothing and lets everything be drawn on it. */
const createCanvas = () => {
  const canvas = { width: 0, height: 0, getContext: () => context };
  const context = new Proxy({ canvas }, { get: (own, name) => (name === 'canvas' ? own.canvas : () => {}) });
  return canvas;
};

beforeEach(() => vi.stubGlobal('document', { createElement: createCanvas }));
afterEach(() => vi.unstubAllGlobals());

const overlap = (a: Sprite, b: Sprite): boolean =>
  a.image === b.image &&
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

describe('SpriteSheet', () => {
  it('gives every picture a place of its own, within its page', () => {
    const sheet = new SpriteSheet(2);
    const sprites = Array.from({ length: 300 }, (_, i) =>
      sheet.get(String(i), 20 + ((i * 37) % 90), i % 5 === 0 ? 28 : 18, () => {})!,
    );
    for (const [i, sprite] of sprites.entries()) {
      expect(sprite.left + sprite.width).toBeLessThanOrEqual(sprite.image.width);
      expect(sprite.top + sprite.height).toBeLessThanOrEqual(sprite.image.height);
      for (const other of sprites.slice(i + 1)) expect(overlap(sprite, other)).toBe(false);
    }
  });

  it('paints a picture once, for as long as its page is kept', () => {
    const sheet = new SpriteSheet(1);
    const paint = vi.fn();
    const first = sheet.get('412', 40, 20, paint);
    expect(sheet.get('412', 40, 20, paint)).toBe(first);
    expect(paint).toHaveBeenCalledTimes(1);
    // Fills page after page, until the first makes room.
    for (let i = 0; sheet.has('412'); i++) {
      if (i > 10_000) throw new Error('The first page never went.');
      sheet.get(`other ${i}`, 250, 120, () => {});
    }
    expect(sheet.get('412', 40, 20, paint)).not.toBe(first);
    expect(paint).toHaveBeenCalledTimes(2);
  });

  it('cuts off a picture that is wider than a page', () => {
    const { width, image } = new SpriteSheet(1).get('long', 5000, 20, () => {})!;
    expect(width).toBe(image.width);
  });
});
