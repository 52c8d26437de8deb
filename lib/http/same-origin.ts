import 'server-only';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something: RFC 9110, 9.2.1. */
export const changesState = (method: string): boolean => !SAFE_METHODS.has(method);

/**
 * Whether a request was made by a page of ours. Browsers say so in Sec-Fetch-Site, which no page can set; over plain
 * HTTP they leave it out, and then Origin must name the scheme and the host that were asked. A request with neither is
 * not from a page of ours.
 */
export const isSameOrigin = (
  headers: Pick<Headers, 'get'>,
  { trustedProxies, isTls }: { trustedProxies: number; isTls: boolean },
): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return false;
  // Where no proxy is trusted its header may come from anywhere.
  const forwarded = trustedProxies > 0 ? headers.get('x-forwarded-host') : null;
  const own = `${isTls ? 'https' : 'http'}://${forwarded ?? headers.get('host')}`;
  return URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
};

/**
 * Whether a request was made by a page of another site, or of another port of this host. Every browser since 2023 says so
 * in Sec-Fetch-Site. Older ones send Origin with what a script fetches; for an image or a link they send neither, and
 * cannot be told from a program.
 */
export const isFromElsewhere = (
  headers: Pick<Headers, 'get'>,
  options: { trustedProxies: number; isTls: boolean },
): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  return headers.get('origin') !== null && !isSameOrigin(headers, options);
};
