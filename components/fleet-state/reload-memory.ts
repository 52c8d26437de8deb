/** The last reloads that the page made by itself, kept for as long as its tab: a page must not reload for ever. */
const BUILD_KEY = 'linehaul-reloaded-for';
const TIMES_KEY = 'linehaul-reloaded-at';
const WITHIN_MS = 5 * 60_000;
const MOST_WITHIN = 2;

/** Null where the browser keeps nothing for us: then no reload is remembered, and none is made. */
const openStorage = (): Storage | null => {
  try {
    return window.sessionStorage;
  } catch {
    // Forbidden by a setting of the browser.
    return null;
  }
};

/** Whether the page has already been loaded anew for that build of the server. */
export const isReloadedFor = (build: string): boolean => openStorage()?.getItem(BUILD_KEY) === build;

/** Notes that it is about to be; false where that cannot be remembered. */
export const noteReloadFor = (build: string): boolean => {
  const storage = openStorage();
  storage?.setItem(BUILD_KEY, build);
  return storage !== null;
};

/** Notes a reload for a part of the page that is missing; false where there were enough of them lately. */
export const noteReloadForPart = (nowMs: number): boolean => {
  const storage = openStorage();
  const times = (storage?.getItem(TIMES_KEY) ?? '')
    .split(' ')
    .map(Number)
    .filter((atMs) => atMs > 0 && Math.abs(nowMs - atMs) < WITHIN_MS);
  if (storage === null || times.length >= MOST_WITHIN) return false;
  storage.setItem(TIMES_KEY, [...times, nowMs].join(' '));
  return true;
};
