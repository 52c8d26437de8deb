import 'server-only';

/**
 * What the names of cookies begin with. Over TLS browsers keep `__Host-` cookies for this very host: Secure, Path=/ and no
 * Domain, so that a sibling domain can neither read one nor plant one.
 */
export const toCookiePrefix = (isTls: boolean): string => `${isTls ? '__Host-' : ''}linehaul`;

/** Of a request's cookies those of a name of ours, with or without the prefix of TLS, as a `Cookie` header. */
export const pickCookies = (header: string | null, name: string): string =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => [true, false].some((isTls) => pair.startsWith(`${toCookiePrefix(isTls)}.${name}=`)))
    .join('; ');

/** A cookie's value as it was sent; null where it was not. Of several of one name the first counts, as better-auth reads. */
export const readCookie = (header: string | null, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};
