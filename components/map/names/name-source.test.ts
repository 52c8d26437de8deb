import type { Map as LeafletMap } from 'leaflet';
import { afterEach, expect, it, vi } from 'vitest';
import type { Palette } from '../palette';
import type { NameSheet } from './name-sheet';
import { NameSource } from './name-source';

afterEach(() => vi.unstubAllGlobals());

it('passes on no names in older colors than it has shown, and frees their picture', () => {
  vi.stubGlobal('window', { devicePixelRatio: 1 });
  const map = {
    on: () => undefined,
    getZoom: () => 7,
    getSize: () => ({ x: 800, y: 600 }),
    getPixelBounds: () => ({ min: { x: 0, y: 0 } }),
  } as unknown as LeafletMap;
  const answers: ((sheet: NameSheet) => void)[] = [];
  const shown: NameSheet[] = [];
  const colors: string[] = [];
  const source = new NameSource(
    map,
    ({ palette }, onNamed) => {
      colors.push(palette.text);
      return answers.push(onNamed);
    },
    (sheet) => shown.push(sheet),
  );
  const toSheet = () => ({ picture: { close: vi.fn() } }) as unknown as NameSheet;
  source.repaint({ text: '#fff' } as Palette);
  source.repaint({ text: '#000' } as Palette);
  const [dark, light] = [toSheet(), toSheet()];
  answers[1]!(light);
  answers[0]!(dark);
  expect(shown).toEqual([light]);
  expect(dark.picture.close).toHaveBeenCalledOnce();
  source.repaint();
  expect(colors).toEqual(['#fff', '#000', '#000']);
});
