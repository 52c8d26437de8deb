/** The tab's last automatic reloads, kept in sessionStorage so that a page does not reload forever. */
const BUILD_KEY = 'linehaul-reloaded-for';
const TIMES_KEY = 'linehaul-reloaded-at';
const WITHIN_MS = 5 * 60_000;
const MOST_WITHIN = 2;

/** Null where storage is forbidden: then the page does not reload by itself. */
const openStorage = (): Storage | null => {
  try {
    return window.sessionStorage;
  } catch {
    // Forbidden by a setting of the browser.
    return null;
  }
};

/** Whether the page has already reloaded for that build of the server. */
export const isReloadedFor = (build: string): boolean => openStorage()?.getItem(BUILD_KEY) === build;

/** Records that it is about to; false where nothing can be stored. */
export const noteReloadFor = (build: string): boolean => {
  const storage = openStorage();
  storage?.setItem(BUILD_KEY, build);
  return storage !== null;
};

/** Records a reload for a missing chunk; false after too many recent ones. */
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
