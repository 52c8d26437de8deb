/** Tiles that are kept after they left the map: about a screen and its surroundings. */
const MOST_KEPT = 32;

/** Painted tiles that left the map, by name, so that zooming back paints nothing. */
export class TileStore {
  #kept = new Map<string, HTMLCanvasElement>();

  put(name: string, tile: HTMLCanvasElement): void {
    this.#kept.delete(name);
    this.#kept.set(name, tile);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** Removes and returns the tile of this name; null if there is none. */
  take(name: string): HTMLCanvasElement | null {
    const tile = this.#kept.get(name) ?? null;
    this.#kept.delete(name);
    return tile;
  }

  clear(): void {
    this.#kept.clear();
  }
}
