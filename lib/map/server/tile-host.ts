import 'server-only';
import type { Clock } from '@/lib/base/clock';

/** How long a result holds: a host that failed is tried again soon. */
const REACHED_FOR_MS = 10 * 60_000;
const FAILED_FOR_MS = 60_000;
const TIMEOUT_MS = 4000;

interface TileHostOptions {
  /** The template of a tile's URL. */
  url: string;
  clock: Clock;
  fetch?: typeof fetch;
}

const loadTile = async ({ url, fetch: send = fetch }: TileHostOptions): Promise<boolean> => {
  try {
    const response = await send(url.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0'), {
      // The usage policy of OpenStreetMap requires a name that identifies the application.
      headers: { 'user-agent': 'Linehaul (self-hosted fleet map)' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok && (response.headers.get('content-type') ?? '').startsWith('image/');
  } catch (error) {
    // A network without a way out is an ordinary place to run; the page shows the notice.
    if (error instanceof Error) return false;
    throw error;
  }
};

/** Whether a tile of a host can be loaded, checked when the last result has expired; concurrent calls share a check. */
export const createTileHostCheck = (options: TileHostOptions): (() => Promise<boolean>) => {
  let last: { result: Promise<boolean>; untilMs: number } | null = null;
  return () => {
    const nowMs = options.clock.monotonicMs();
    if (last && nowMs < last.untilMs) return last.result;
    const check = { result: loadTile(options), untilMs: nowMs + FAILED_FOR_MS };
    last = check;
    void check.result.then((isReached) => {
      if (isReached) check.untilMs = nowMs + REACHED_FOR_MS;
    });
    return check.result;
  };
};
