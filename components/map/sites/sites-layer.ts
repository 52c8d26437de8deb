import type { Palette, Theme } from '../palette';
import { RestingLayer } from '../resting-layer';
import type { View } from '../unit-layer/scene/glyphs';
import { drawSites } from './draw-sites';
import type { SiteShapes } from './site-shapes';

/** Below the units and their tails. */
const Z_INDEX = '430';

interface SitesInput {
  shapes: SiteShapes;
  /** The site with a strong outline; null: none. */
  highlightedId: number | null;
  /** A site that is not drawn; null: all are. */
  hiddenId: number | null;
  theme: Theme;
}

/** The outlines of sites; a mark where that would be a dot. */
export class SitesLayer extends RestingLayer {
  #input: SitesInput | null = null;

  constructor() {
    super('sites', Z_INDEX);
  }

  update(input: SitesInput): void {
    this.#input = input;
    this.redraw();
  }

  protected readTheme(): Theme | null {
    return this.#input?.theme ?? null;
  }

  protected draw(context: CanvasRenderingContext2D, view: View, palette: Palette): Record<string, string> {
    return { drawnSites: String(drawSites(context, this.#input!, view, palette)) };
  }
}
