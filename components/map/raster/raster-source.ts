/** Failures in a row, with nothing loaded between them, after which tiles count as unreachable. */
const FAILURES_TO_GIVE_UP = 6;
export const RETRY_AFTER_MS = 60_000;

/** `probing` requests one tile, `on` those of the view, `resting` none until `retryAtMs`. */
type RasterState =
  | { kind: 'probing'; isRetry: boolean }
  | { kind: 'on'; failures: number }
  | { kind: 'resting'; retryAtMs: number };

export type RasterEvent = 'loaded' | 'failed' | 'retry';

export const RASTER_START: RasterState = { kind: 'probing', isRetry: false };

export const toRasterState = (state: RasterState, event: RasterEvent, nowMs: number): RasterState => {
  if (event === 'retry') return state.kind === 'resting' ? { kind: 'probing', isRetry: true } : state;
  if (state.kind === 'resting') return state;
  const failures = event === 'loaded' ? 0 : state.kind === 'on' ? state.failures + 1 : FAILURES_TO_GIVE_UP;
  if (failures >= FAILURES_TO_GIVE_UP) return { kind: 'resting', retryAtMs: nowMs + RETRY_AFTER_MS };
  return state.kind === 'on' && state.failures === failures ? state : { kind: 'on', failures };
};

/** What a map shows of its raster tiles: `missing` after more than two failures with no tile loaded between them. */
export type RasterView = 'none' | 'shown' | 'missing';

export const toRasterView = (state: RasterState): RasterView => {
  if (state.kind === 'probing') return state.isRetry ? 'missing' : 'none';
  return state.kind === 'resting' || state.failures > 2 ? 'missing' : 'shown';
};

interface RasterSourceOptions {
  probe(): Promise<boolean>;
  onUsable(isUsable: boolean): void;
  onView(view: RasterView): void;
}

/** Probes a source of tiles before they are requested, and again a minute after it failed or once the browser is online. */
export const probeSource = ({ probe, onUsable, onView }: RasterSourceOptions) => {
  let state: RasterState = RASTER_START;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const startProbe = (): void => {
    void probe().then((isLoaded) => !isOver && take(isLoaded ? 'loaded' : 'failed'));
  };
  const take = (event: RasterEvent): void => {
    const before = state;
    state = toRasterState(before, event, Date.now());
    if (state === before) return;
    onView(toRasterView(state));
    if (state.kind === before.kind) return;
    if (state.kind === 'probing') return startProbe();
    onUsable(state.kind === 'on');
    if (state.kind === 'resting') timer = setTimeout(retry, state.retryAtMs - Date.now());
  };
  const retry = (): void => {
    clearTimeout(timer);
    take('retry');
  };
  window.addEventListener('online', retry);
  startProbe();
  return {
    /** A tile has loaded, or failed to. */
    take,
    stop: (): void => {
      isOver = true;
      clearTimeout(timer);
      window.removeEventListener('online', retry);
    },
  };
};
