/** Failures in a row, with nothing loaded between them, after which tiles are held to be out of reach. */
const FAILURES_TO_GIVE_UP = 6;
export const RETRY_AFTER_MS = 60_000;

/** `on` asks for tiles; `resting` has given up until `retryAtMs`, so that a dead network is not hammered. */
export type RasterState =
  { kind: 'on'; failures: number; everLoaded: boolean } | { kind: 'resting'; retryAtMs: number };

export type RasterEvent = 'loaded' | 'failed' | 'retry';

export const RASTER_START: RasterState = { kind: 'on', failures: 0, everLoaded: false };

/** What an event makes of the state of the raster tiles. */
export const toRasterState = (state: RasterState, event: RasterEvent, nowMs: number): RasterState => {
  if (event === 'retry') return RASTER_START;
  if (state.kind === 'resting') return state;
  if (event === 'loaded')
    return state.failures === 0 && state.everLoaded ? state : { kind: 'on', failures: 0, everLoaded: true };
  const failures = state.failures + 1;
  if (failures >= FAILURES_TO_GIVE_UP) return { kind: 'resting', retryAtMs: nowMs + RETRY_AFTER_MS };
  return { ...state, failures };
};

/** Whether to tell the user that detail is missing: from the first failure that nothing has made good. */
export const isDetailMissing = (state: RasterState): boolean =>
  state.kind === 'resting' || state.failures > 2;
