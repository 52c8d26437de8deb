import { STATUSES, type Status } from '@/lib/motion/status';

export type Theme = 'light' | 'dark';

/** The theme's colors, as the canvas needs them: resolved. */
export interface Palette {
  status: Record<Status, string>;
  flag: string;
  accent: string;
  onAccent: string;
  surface: string;
  line: string;
  text: string;
  dim: string;
  water: string;
  land: string;
  /** Land outside the United States. */
  farLand: string;
  road: string;
  borderLine: string;
  /** County lines and the grid of degrees. */
  faintLine: string;
  park: string;
  building: string;
  /** Streets, and roads between those and the highways. */
  street: string;
  mainRoad: string;
}

/** The fallback without the theme's stylesheet; the names are the theme's. */
const FALLBACK: Record<string, string> = {
  moving: '#098655',
  stopped: '#5b6b80',
  late: '#b56d00',
  silent: '#c8431e',
  unknown: '#64748b',
  flag: '#b8336a',
  accent: '#1864ab',
  'on-accent': '#ffffff',
  surface: '#ffffff',
  line: '#e2e7ee',
  text: '#17212e',
  dim: '#566579',
  water: '#cfdde8',
  land: '#f7f8f6',
  road: '#e2bf94',
  'border-line': '#c9d2dc',
};

/** Colors that only the base map uses. */
const OWN: Record<
  Theme,
  Pick<Palette, 'farLand' | 'faintLine' | 'park' | 'building' | 'street' | 'mainRoad'>
> = {
  light: {
    farLand: '#ecefec',
    faintLine: '#dbe1e7',
    park: '#e8eee2',
    building: '#ebedef',
    street: '#dcdfe2',
    mainRoad: '#ebd9c0',
  },
  dark: {
    farLand: '#161d26',
    faintLine: '#2a3544',
    park: '#1c2a2a',
    building: '#212b37',
    street: '#2f3a48',
    mainRoad: '#3b3a35',
  },
};

/** Reads the current values of the theme's custom properties at an element. */
export const readPalette = (element: Element, theme: Theme): Palette => {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--lh-${name}`).trim() || FALLBACK[name]!;
  return {
    status: Object.fromEntries(STATUSES.map((status) => [status, read(status)])) as Palette['status'],
    flag: read('flag'),
    accent: read('accent'),
    onAccent: read('on-accent'),
    surface: read('surface'),
    line: read('line'),
    text: read('text'),
    dim: read('dim'),
    water: read('water'),
    land: read('land'),
    road: read('road'),
    borderLine: read('border-line'),
    ...OWN[theme],
  };
};
