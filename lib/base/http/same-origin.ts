import 'server-only';

const LOOPBACK_IPV4 = /^(::ffff:)?127(\.\d{1,3}){3}$/i;

/** Whether a host, without its port, is this machine and unreachable from any other. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || LOOPBACK_IPV4.test(host);

/** "host:port" without its port. */
export const toHostname = (host: string): string => host.replace(/:\d{1,5}$/, '').toLowerCase();

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something: RFC 9110, 9.2.1. */
export const changesState = (method: string): boolean => !SAFE_METHODS.has(method);

/**
 * Whether a page of ours made a request. Browsers send Sec-Fetch-Site, which no page can set; over plain HTTP
 * they omit it, and then Origin must name the scheme and the host of the request. A request with neither
 * header is not from a page of ours.
 */
export const isSameOrigin = (
  headers: Pick<Headers, 'get'>,
  { trustedProxies, isTls }: { trustedProxies: number; isTls: boolean },
): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return false;
  // Without a trusted proxy, any client can send its header.
  const forwarded = trustedProxies > 0 ? headers.get('x-forwarded-host') : null;
  const own = `${isTls ? 'https' : 'http'}://${forwarded ?? headers.get('host')}`;
  return URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
};

/**
 * Whether a page of another site, or of another port of this host, made a request. Every browser since 2023
 * sends Sec-Fetch-Site. Older ones send Origin with a script's fetch; for an image or a link they send
 * neither, and cannot be distinguished from a program.
 */
export const isCrossOrigin = (
  headers: Pick<Headers, 'get'>,
  options: { trustedProxies: number; isTls: boolean },
): boolean => {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  return headers.get('origin') !== null && !isSameOrigin(headers, options);
};
