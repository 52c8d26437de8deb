import jsqr from 'jsqr';
import type { Locator } from '@playwright/test';

/** Pixels per module of the code: the least that a phone's camera resolves. */
const PIXELS_A_SQUARE = 4;

/** The content of a QR code on the screen, decoded from its squares. */
export const readQrCode = async (code: Locator): Promise<string> => {
  const size = Number((await code.getAttribute('viewBox'))!.split(' ')[2]);
  const path = (await code.locator('path').getAttribute('d'))!;
  const width = size * PIXELS_A_SQUARE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < PIXELS_A_SQUARE; dy++) {
      for (let dx = 0; dx < PIXELS_A_SQUARE; dx++) {
        const row = Number(y) * PIXELS_A_SQUARE + dy;
        const at = (row * width + Number(x) * PIXELS_A_SQUARE + dx) * 4;
        pixels.fill(0, at, at + 3);
      }
    }
  }
  const found = jsqr(pixels, width, width);
  if (found === null) throw new Error('No QR code can be read.');
  return found.data;
};
