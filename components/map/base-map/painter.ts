import type { FromPainter, MapPart, PaintJob, ToPainter } from './painter-messages';

export interface PainterEvents {
  /** A part of the map is there from now on: what was painted before is without it. */
  onTaken(part: MapPart): void;
  /** The thread does not run, or has met something that it cannot do. */
  onBroken(): void;
}

/** The painter's thread, from the page's side. */
export interface Painter {
  /** Hands a file of the map over. */
  take(part: MapPart, file: ArrayBuffer): void;
  /** Paints a tile; `onPainted` owns the picture. */
  paint(job: PaintJob, onPainted: (picture: ImageBitmap) => void): void;
  close(): void;
}

export const createPainter = ({ onTaken, onBroken }: PainterEvents): Painter => {
  const worker = new Worker(new URL('./painter-thread.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (picture: ImageBitmap) => void>();
  let jobs = 0;
  worker.onmessage = ({ data }: MessageEvent<FromPainter>) => {
    if (data.kind === 'taken') return onTaken(data.part);
    const onPainted = waiting.get(data.id)!;
    waiting.delete(data.id);
    onPainted(data.bitmap);
  };
  worker.onerror = onBroken;
  const say = (said: ToPainter, transfer: Transferable[] = []): void => worker.postMessage(said, transfer);
  return {
    take: (part, file) => say({ kind: 'take', part, file }, [file]),
    paint: (job, onPainted) => {
      waiting.set(++jobs, onPainted);
      say({ kind: 'paint', id: jobs, job });
    },
    close: () => worker.terminate(),
  };
};
