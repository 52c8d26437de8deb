import 'server-only';

/**
 * Retry-After in milliseconds from now, given as seconds or as a date (RFC 9110, 10.2.3); null where it is
 * neither.
 */
export const parseRetryAfter = (header: string | null, nowMs: number): number | null => {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  // A date begins with the name of a day; Date.parse alone would also take "-5" for a year.
  const atMs = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};
