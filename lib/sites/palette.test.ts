import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toContrast } from '@/testing/contrast';
import { SITE_COLORS, SITE_PALETTE } from './palette';

it('each color has a contrast of 3:1 on the land and the surfaces of both themes', () => {
  const css = readFileSync('app/theme.css', 'utf8');
  const grounds = [...css.matchAll(/--lh-(?:land|surface|ground|hover|selected): (#[0-9a-f]{6});/g)];
  expect(grounds).toHaveLength(10);
  for (const [name, color] of Object.entries(SITE_PALETTE))
    for (const [ground, hex] of grounds)
      expect(toContrast(color, hex!), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
});

it('a new site has a color of the palette', () => {
  const palette: readonly string[] = Object.values(SITE_PALETTE);
  for (const color of Object.values(SITE_COLORS)) expect(palette).toContain(color);
});
