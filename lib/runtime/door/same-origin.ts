import 'server-only';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something: RFC 9110, 9.2.1. */
export const changesState = (method: string): boolean => !SAFE_METHODS.has(method);

/**
 * Whether a request was made by a page of ours. Browsers say so in Sec-Fetch-Site, which no page can set; over plain
 * HTTP they leave it out, and then Origin must name the host that was asked. Who says neither is no page of ours.
 */
export const isSameOrigin = (headers: Headers, trustedProxies: number): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return false;
  // Where no proxy is trusted its header may come from anywhere.
  const forwarded = trustedProxies > 0 ? headers.get('x-forwarded-host') : null;
  return new URL(origin).host === (forwarded ?? headers.get('host'));
};
