/** Side lengths of a page, CSS pixels. */
const PAGE = { width: 512, height: 256 };
/** Pages kept; beyond it the oldest goes with all that is on it. */
const MAX_PAGES = 12;

/** A picture on a page, device pixels. */
export interface Sprite {
  image: HTMLCanvasElement;
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Page {
  context: CanvasRenderingContext2D;
  keys: string[];
  /** The upper left corner of the next sprite, and the height of its line. */
  left: number;
  top: number;
  lineHeight: number;
}

/** Small pictures, each drawn once and kept, side by side on a few canvases because making many takes longer. */
export class SpriteSheet {
  #pages: Page[] = [];
  #kept = new Map<string, Sprite>();

  constructor(readonly ratio: number) {}

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /**
   * The picture of this name; `paint` draws it in CSS pixels from 0,0 when it is not there yet. One that is
   * wider than a page is cut off.
   */
  get(
    key: string,
    widthPx: number,
    heightPx: number,
    paint: (context: CanvasRenderingContext2D) => void,
  ): Sprite | null {
    const held = this.#kept.get(key);
    if (held) return held;
    const width = Math.ceil(Math.min(widthPx, PAGE.width) * this.ratio);
    const height = Math.ceil(Math.min(heightPx, PAGE.height) * this.ratio);
    const page = this.#findRoom(width, height);
    if (!page) return null;
    const { context, left, top } = page;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.setTransform(this.ratio, 0, 0, this.ratio, left, top);
    paint(context);
    context.restore();
    const sprite = { image: context.canvas, left, top, width, height };
    page.left += width;
    page.keys.push(key);
    this.#kept.set(key, sprite);
    return sprite;
  }

  /** The page whose next corner has room for a sprite; null where there are no canvases. */
  #findRoom(width: number, height: number): Page | null {
    let page = this.#pages.at(-1) ?? this.#addPage();
    if (page && page.left + width > page.context.canvas.width) {
      page.left = 0;
      page.top += page.lineHeight;
      page.lineHeight = 0;
    }
    if (page && page.top + height > page.context.canvas.height) page = this.#addPage();
    if (page) page.lineHeight = Math.max(page.lineHeight, height);
    return page;
  }

  #addPage(): Page | null {
    const image = document.createElement('canvas');
    image.width = Math.ceil(PAGE.width * this.ratio);
    image.height = Math.ceil(PAGE.height * this.ratio);
    const context = image.getContext('2d');
    if (!context) return null;
    const page = { context, keys: [], left: 0, top: 0, lineHeight: 0 };
    this.#pages.push(page);
    if (this.#pages.length > MAX_PAGES) for (const key of this.#pages.shift()!.keys) this.#kept.delete(key);
    return page;
  }
}
