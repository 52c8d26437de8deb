import { BADGE_HEIGHT_PX, badgeWidthPx } from '../scene/glyphs';
import { LABEL_HEIGHT_PX } from '../scene/place-labels';
import { SpriteSheet, type Sprite } from './sprite-sheet';
import { FONT_FAMILY } from '../../canvas';
import type { Palette } from '../../palette';

const LABEL_FONT = `600 12px ${FONT_FAMILY}`;
const BADGE_FONT = `700 10px ${FONT_FAMILY}`;
const PILL_FONT = `700 13px ${FONT_FAMILY}`;
export const PILL_HEIGHT_PX = 24;
const PILL_PADDING_PX = 9;
const HALO_PX = 3;

/** A text drawn once: device pixels, with its middle left at `originX, originY`. */
export interface TextSprite extends Sprite {
  originX: number;
  originY: number;
}

/** How a text in a box looks, lengths in CSS pixels. */
interface BoxLook {
  width: number;
  height: number;
  rim: number;
  radius: number;
  font: string;
  fill: string;
  ink: string;
}

/** Numbers of units and counts, each drawn once and cached: stroking letters is the most expensive operation on a canvas. */
export class TextSprites {
  #sheet: SpriteSheet;
  #widths = new Map<string, number>();
  #paintsLeft = 0;
  #isShort = false;
  #measure = document.createElement('canvas').getContext('2d');

  constructor(
    readonly palette: Palette,
    readonly ratio: number,
  ) {
    this.#sheet = new SpriteSheet(ratio);
  }

  /** Begins a frame, with the number of uncached labels that it may paint. */
  allow(paints: number): void {
    [this.#paintsLeft, this.#isShort] = [paints, false];
  }

  /** Whether a label of this frame is yet to be painted. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Width of a unit's label, CSS pixels. */
  readonly labelWidth = (text: string): number => {
    const held = this.#widths.get(text);
    if (held !== undefined) return held;
    if (this.#measure) this.#measure.font = LABEL_FONT;
    const width = this.#measure?.measureText(text).width ?? 7 * text.length;
    if (this.#widths.size > 200_000) this.#widths.clear();
    this.#widths.set(text, width);
    return width;
  };

  /** A unit's label; null once the frame has painted enough. */
  label(text: string): TextSprite | null {
    const key = `l${text}`;
    if (!this.#sheet.has(key) && this.#paintsLeft-- <= 0) {
      this.#isShort = true;
      return null;
    }
    const width = this.labelWidth(text) + 2 * HALO_PX;
    return this.#keep(key, width, LABEL_HEIGHT_PX + 2 * HALO_PX, HALO_PX, (context, middle) => {
      context.font = LABEL_FONT;
      context.lineJoin = 'round';
      context.lineWidth = 2 * HALO_PX;
      context.globalAlpha = 0.9;
      context.strokeStyle = this.palette.land;
      context.strokeText(text, HALO_PX, middle);
      context.globalAlpha = 1;
      context.fillStyle = this.palette.text;
      context.fillText(text, HALO_PX, middle);
    });
  }

  badge(text: string): TextSprite | null {
    const width = badgeWidthPx(text);
    const { text: fill, surface: ink } = this.palette;
    const look = {
      width,
      height: BADGE_HEIGHT_PX,
      rim: 1.5,
      radius: BADGE_HEIGHT_PX / 2,
      font: BADGE_FONT,
      fill,
      ink,
    };
    return this.#box(`b${text}`, text, look);
  }

  pillWidth(text: string): number {
    if (this.#measure) this.#measure.font = PILL_FONT;
    return (this.#measure?.measureText(text).width ?? 8 * text.length) + 2 * PILL_PADDING_PX;
  }

  /** The selected unit's number, in the accent's color. */
  pill(text: string): TextSprite | null {
    const width = this.pillWidth(text);
    const { accent: fill, onAccent: ink } = this.palette;
    const look = { width, height: PILL_HEIGHT_PX, rim: 2, radius: 6, font: PILL_FONT, fill, ink };
    return this.#box(`p${text}`, text, look);
  }

  /** A text in the middle of a box with round corners and a rim of the land's color. */
  #box(
    key: string,
    text: string,
    { width, height, rim, radius, font, fill, ink }: BoxLook,
  ): TextSprite | null {
    return this.#keep(key, width + 2 * rim, height + 2 * rim, rim, (context, middle) => {
      context.beginPath();
      context.roundRect(rim, rim, width, height, radius);
      context.lineWidth = 3;
      context.strokeStyle = this.palette.land;
      context.stroke();
      context.fillStyle = fill;
      context.fill();
      context.font = font;
      context.textAlign = 'center';
      context.fillStyle = ink;
      context.fillText(text, rim + width / 2, middle + 0.5);
    });
  }

  #keep(
    key: string,
    width: number,
    height: number,
    originX: number,
    paint: (context: CanvasRenderingContext2D, middle: number) => void,
  ): TextSprite | null {
    const sprite = this.#sheet.get(key, width, height, (context) => {
      context.textBaseline = 'middle';
      paint(context, height / 2);
    });
    return sprite && { ...sprite, originX: originX * this.ratio, originY: (height / 2) * this.ratio };
  }
}
