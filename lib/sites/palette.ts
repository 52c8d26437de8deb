import type { SiteKind } from '@/lib/rules/site';

/** Colors of sites by name, each with a contrast of 3:1 on the land and the surfaces of both themes (palette.test.ts). */
export const SITE_PALETTE = {
  Blue: '#2f7de1',
  Teal: '#0d8f94',
  Green: '#2e9455',
  Amber: '#a87a1e',
  Red: '#d4483f',
  Pink: '#d14f96',
  Purple: '#8b68d6',
  Gray: '#74859a',
} as const;

/** The color of a new site. */
export const SITE_COLORS: Record<SiteKind, string> = {
  yard: SITE_PALETTE.Blue,
  customer: SITE_PALETTE.Purple,
  fuel: SITE_PALETTE.Teal,
  noGo: SITE_PALETTE.Red,
  other: SITE_PALETTE.Gray,
};
