import type { Theme } from '@/components/map/palette';

/** How the lines of the other trucks differ: each has a color and a dash of its own. */
const COLORS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#7b3fb5', '#b8450d', '#0e7490', '#8a5a00', '#b3176b'],
  dark: ['#c4a1f2', '#fb923c', '#4fd0e6', '#e6b422', '#f58bbf'],
};
const DASHES: readonly (readonly number[])[] = [
  [14, 5],
  [3, 5],
  [14, 4, 3, 4],
  [7, 5],
  [22, 4, 3, 4, 3, 4],
];

export interface TruckStyle {
  color: string;
  dash: readonly number[];
}

/** The line of another truck, by its place among them. */
export const toTruckStyle = (index: number, theme: Theme): TruckStyle => ({
  color: COLORS[theme][index]!,
  dash: DASHES[index]!,
});
