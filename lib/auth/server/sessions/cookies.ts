import 'server-only';

/** The prefix of cookie names: `__Host-` binds cookies over TLS to this host, so that no sibling domain reads or sets one. */
export const toCookiePrefix = (isTls: boolean): string => `${isTls ? '__Host-' : ''}linehaul`;

/** The cookies of a request with one of our names, with or without the TLS prefix, as a `Cookie` header. */
export const pickCookies = (header: string | null, name: string): string =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => [true, false].some((isTls) => pair.startsWith(`${toCookiePrefix(isTls)}.${name}=`)))
    .join('; ');

/** A cookie's raw value; null if absent. Of several with one name the first counts, as in better-auth. */
export const readCookie = (header: string | null, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};
