import { RASTER_START, toRasterState, toRasterView, type RasterEvent, type RasterView } from './raster-state';

interface SourceWatchOptions {
  /** Whether one request to the source succeeds. */
  probe(): Promise<boolean>;
  /** Whether tiles may be requested now. */
  onUsable(isUsable: boolean): void;
  onView(view: RasterView): void;
}

/** Probes a source of tiles before they are requested, and again a minute after it failed or once the browser is online. */
export const watchSource = ({ probe, onUsable, onView }: SourceWatchOptions) => {
  let state = RASTER_START;
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
