import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from './manifest';

const RGB = 2;
/** Chromium's least size of the icon of an installed application. */
const LEAST_PX = 144;

const { icons = [], start_url: start, scope, ...rest } = manifest();

/** Of a PNG's header. */
const readIcon = (src: string) => {
  const bytes = readFileSync(new URL(`../public${src}`, import.meta.url));
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  return { sizes: `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, colors: bytes[25] };
};

it.each(icons)(
  '$src is a PNG of $sizes; a maskable one has no transparency',
  ({ src, sizes, type, purpose }) => {
    const icon = readIcon(src);
    expect([icon.sizes, type]).toEqual([sizes, 'image/png']);
    if (purpose === 'maskable') expect(icon.colors).toBe(RGB);
  },
);

it("meets Chromium's criteria for installing: names, a start within the scope, a window, and icons", () => {
  expect(rest).toMatchObject({ name: 'Linehaul', short_name: 'Linehaul', display: 'standalone' });
  expect(rest.prefer_related_applications).toBeUndefined();
  expect(start?.startsWith(scope!)).toBe(true);
  const plain = icons.filter(({ purpose }) => purpose === 'any');
  expect(plain.some(({ sizes }) => Number.parseInt(sizes!) >= LEAST_PX)).toBe(true);
  expect(icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
});
