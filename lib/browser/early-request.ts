import { LIVE_ACCEPT, SCREEN_HEADER } from '@/lib/base/http/protocol';

/** The first live answer, which the document requests while the scripts load. */
interface EarlyRequest {
  url: string;
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

const SCREEN = /^screen-\w+$/;

/**
 * The number by which the server counts screens, in the name of the tab: a reload keeps it, and neither a copy of the tab nor
 * a later one has it, so that it cannot track a user.
 */
export const readScreen = (): string => {
  if (!SCREEN.test(window.name)) window.name = `screen-${Math.random().toString(36).slice(2)}`;
  return window.name;
};

/** With what `readScreen` does. A rejection has no handler until the scripts are there. */
const REQUEST = (url: string): string => `(() => {
  const url = ${JSON.stringify(url)};
  if (!${SCREEN}.test(window.name)) window.name = 'screen-' + Math.random().toString(36).slice(2);
  const screen = window.name;
  const stop = new AbortController();
  const headers = { accept: ${JSON.stringify(LIVE_ACCEPT)}, ${JSON.stringify(SCREEN_HEADER)}: screen };
  const response = fetch(url, { cache: 'no-store', headers, signal: stop.signal });
  response.catch(() => {});
  window.linehaulEarly = { url, response, abort: (reason) => stop.abort(reason) };
})();`;

/**
 * The script in the head of the page at `address`: it requests the live answer of a fleet before any other script is
 * loaded, and where the page is shown at another address (`isElsewhere`), it writes its own into the address bar.
 * Null where there is nothing to do.
 */
export const toHeadScript = (address: string, isElsewhere: boolean): string | null => {
  const usdot = FLEET_ADDRESS.exec(address)?.[1];
  if (usdot === undefined) return null;
  // A tab that reloads over and over may be refused; the router writes the address later.
  const write = `try { history.replaceState(null, '', ${toLiteral(address)} + location.hash); } catch (refused) { void refused; }`;
  return `${isElsewhere ? write : ''}${REQUEST(toLiveUrl(usdot, null))}`;
};

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
