import { BoxIndex, type Box } from '../box-index';
import type { Palette } from '../palette';

/** The names to paint: those of a part of the world at a zoom. */
export interface NamesJob {
  zoom: number;
  /** Pixels of the whole world at the zoom. */
  box: Box;
  /** Device pixels a CSS pixel. */
  ratio: number;
  palette: Palette;
}

/** A name of the map: the box that it covers, and its picture on the sheet in device pixels. */
interface MapName {
  /** The same for the same name of another sheet of this zoom. */
  key: string;
  covers: Box;
  sprite: { left: number; top: number; width: number; height: number };
}

/** The names of a part of the map at one zoom, painted side by side; none covers another. */
export interface NameSheet extends Pick<NamesJob, 'zoom' | 'box' | 'ratio'> {
  names: MapName[];
  picture: ImageBitmap;
}

/** A name that is yet to be painted; `paint` draws it with the world's `left, top` at the context's origin. */
export interface NameToPaint extends Pick<MapName, 'key' | 'covers'> {
  paint(context: OffscreenCanvasRenderingContext2D, left: number, top: number): void;
}

/** The names that touch none before them: the important come first. */
export const withoutOverlaps = (names: readonly NameToPaint[]): NameToPaint[] => {
  const taken = new BoxIndex();
  return names.filter(({ covers: { left, top, right, bottom } }) => {
    if (taken.hits(left, top, right, bottom)) return false;
    taken.add(left, top, right, bottom);
    return true;
  });
};

/** Room around a name for its halo, CSS pixels. */
export const NAME_MARGIN_PX = 3;
const SHEET_WIDTH = 2048;

/** Gives each name its place on a sheet, from left to right in lines; returns the sheet's height. */
const layOut = (names: readonly NameToPaint[], ratio: number): { placed: MapName[]; height: number } => {
  let [left, top, lineHeight] = [0, 0, 0];
  const placed = names.map(({ key, covers }) => {
    const width = Math.ceil((covers.right - covers.left + 2 * NAME_MARGIN_PX) * ratio);
    const height = Math.ceil((covers.bottom - covers.top + 2 * NAME_MARGIN_PX) * ratio);
    if (left + width > SHEET_WIDTH) [left, top, lineHeight] = [0, top + lineHeight, 0];
    const sprite = { left, top, width, height };
    left += width;
    lineHeight = Math.max(lineHeight, height);
    return { key, covers, sprite };
  });
  return { placed, height: top + lineHeight };
};

/** Paints names on a sheet; runs in a worker, because stroking letters is slow. */
export const paintNameSheet = (
  names: readonly NameToPaint[],
  { zoom, box, ratio }: Pick<NamesJob, 'zoom' | 'box' | 'ratio'>,
): NameSheet => {
  const { placed, height } = layOut(names, ratio);
  const canvas = new OffscreenCanvas(SHEET_WIDTH, Math.max(1, height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas to paint the names of the map on.');
  placed.forEach(({ covers, sprite }, i) => {
    context.save();
    context.beginPath();
    context.rect(sprite.left, sprite.top, sprite.width, sprite.height);
    context.clip();
    context.setTransform(ratio, 0, 0, ratio, sprite.left, sprite.top);
    names[i]!.paint(context, covers.left - NAME_MARGIN_PX, covers.top - NAME_MARGIN_PX);
    context.restore();
  });
  return { zoom, box, ratio, names: placed, picture: canvas.transferToImageBitmap() };
};
