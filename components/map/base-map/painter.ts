import type { StreetMap } from '@/lib/map/schema';
import type { NameSheet, NamesJob } from '../names/name-sheet';
import type { Palette } from '../palette';
import type { Tile } from './tile';

/** The parts of the base map, each a file: the overview for every zoom, and the detail for deep zooms. */
export type MapPart = 'overview' | 'detail';

/** A tile to paint, `side` device pixels wide and high. */
export interface PaintJob {
  tile: Tile;
  side: number;
  palette: Palette;
}

export interface TilePicture {
  bitmap: ImageBitmap;
  /** Whether no other one follows. */
  isLast: boolean;
  /** Whether it shows all that there is: false while some of the street map's data cannot be read. */
  isWhole: boolean;
}

/** Messages from the page to the painter's thread. A file is transferred as its bytes. */
export type ToPainter =
  | { kind: 'take'; part: MapPart; file: ArrayBuffer }
  | { kind: 'paint'; id: number; job: PaintJob }
  | { kind: 'name'; id: number; job: NamesJob }
  | { kind: 'streets'; streets: StreetMap | null };

export type FromPainter =
  | { kind: 'taken'; part: MapPart }
  | ({ kind: 'painted'; id: number } & TilePicture)
  | { kind: 'named'; id: number; sheet: NameSheet; isLast: boolean }
  | { kind: 'streets'; event: 'loaded' | 'failed' };

interface PainterEvents {
  /** A part of the map has loaded; tiles painted before are without it. */
  onTaken(part: MapPart): void;
  /** The server has answered a request for data of the street map, or failed to. */
  onStreets(event: 'loaded' | 'failed'): void;
  onBroken(): void;
}

/**
 * Starts the painter's thread. The callbacks own the pictures. Where data of the street map is still to load, the embedded
 * map's picture comes first and another follows. `paint` and `name` return the job's number, ascending: the picture of an
 * earlier job may come after that of a later one.
 */
export const createPainter = ({ onTaken, onStreets, onBroken }: PainterEvents) => {
  const worker = new Worker(new URL('./painter-thread.ts', import.meta.url), { type: 'module' });
  const tiles = new Map<number, (picture: TilePicture) => void>();
  const names = new Map<number, (sheet: NameSheet) => void>();
  let jobs = 0;
  worker.onmessage = ({ data }: MessageEvent<FromPainter>) => {
    if (data.kind === 'taken') return onTaken(data.part);
    if (data.kind === 'streets') return onStreets(data.event);
    if (data.kind === 'painted') tiles.get(data.id)!(data);
    else names.get(data.id)!(data.sheet);
    if (!data.isLast) return;
    tiles.delete(data.id);
    names.delete(data.id);
  };
  worker.onerror = onBroken;
  const send = (message: ToPainter, transfer: Transferable[] = []): void =>
    worker.postMessage(message, transfer);
  return {
    /** Transfers a file of the map. */
    take: (part: MapPart, file: ArrayBuffer): void => send({ kind: 'take', part, file }, [file]),
    paint: (job: PaintJob, onPainted: (picture: TilePicture) => void): number => {
      tiles.set(++jobs, onPainted);
      send({ kind: 'paint', id: jobs, job });
      return jobs;
    },
    name: (job: NamesJob, onNamed: (sheet: NameSheet) => void): number => {
      names.set(++jobs, onNamed);
      send({ kind: 'name', id: jobs, job });
      return jobs;
    },
    /** From the next job on, the street map is painted over the embedded one; null: it is not. */
    setStreets: (streets: StreetMap | null): void => send({ kind: 'streets', streets }),
    close: (): void => worker.terminate(),
  };
};

export type Painter = ReturnType<typeof createPainter>;
