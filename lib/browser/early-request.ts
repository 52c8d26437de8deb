import { LIVE_ACCEPT, SCREEN_HEADER } from '@/lib/wire/http';

/** The first live answer, which the document requests while the scripts load. */
interface EarlyRequest {
  url: string;
  /** The page's screen number, as sent. */
  screen: string;
  response: Promise<Response>;
  abort: (reason: unknown) => void;
}

declare global {
  interface Window {
    linehaulEarly?: EarlyRequest;
  }
}

export const toLiveUrl = (usdot: string, since: string | null): string =>
  `/api/fleets/${encodeURIComponent(usdot)}/live${since === null ? '' : `?since=${encodeURIComponent(since)}`}`;

const FLEET_ADDRESS = /^\/fleets\/(\d{1,8})(?:[/?]|$)/;

/** A text as a literal of a script in HTML, which `</script>` would end. */
const toLiteral = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

/** A rejection has no handler until the scripts are there. */
const REQUEST = (url: string): string => `(() => {
  const url = ${JSON.stringify(url)};
  const screen = Math.random().toString(36).slice(2);
  const stop = new AbortController();
  const headers = { accept: ${JSON.stringify(LIVE_ACCEPT)}, ${JSON.stringify(SCREEN_HEADER)}: screen };
  const response = fetch(url, { cache: 'no-store', headers, signal: stop.signal });
  response.catch(() => {});
  window.linehaulEarly = { url, screen, response, abort: (reason) => stop.abort(reason) };
})();`;

/**
 * The script in the head of the page at `address`: it requests the live answer of a fleet before any other script is
 * loaded, and where the page is shown at another address (`isElsewhere`), it writes its own into the address bar.
 * Null where there is nothing to do.
 */
export const toHeadScript = (address: string, isElsewhere: boolean): string | null => {
  const usdot = FLEET_ADDRESS.exec(address)?.[1];
  if (usdot === undefined) return null;
  const write = `history.replaceState(null, '', ${toLiteral(address)} + location.hash);`;
  return `${isElsewhere ? write : ''}${REQUEST(toLiveUrl(usdot, null))}`;
};

/** The screen number of the early request; null without one. */
export const readEarlyScreen = (): string | null =>
  typeof window === 'undefined' ? null : (window.linehaulEarly?.screen ?? null);

/** The response to the early request for a URL, once; null without one. */
export const takeEarlyResponse = (url: string, signal: AbortSignal | null): Promise<Response> | null => {
  const early = typeof window === 'undefined' ? undefined : window.linehaulEarly;
  if (early?.url !== url) return null;
  delete window.linehaulEarly;
  const abort = (): void => early.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return early.response;
};
