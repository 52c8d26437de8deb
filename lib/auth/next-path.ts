const SOMEWHERE = 'http://linehaul.invalid';
const MAX_CHARACTERS = 2000;

/**
 * Where to go after signing in: a path of this server with its query, or "/" where the text leads anywhere else. A
 * browser reads "//host", "/\host" and a tab between them as another host: so it is asked where the text leads.
 */
export const toNextPath = (text: string | null | undefined): string => {
  if (typeof text !== 'string' || !text.startsWith('/') || text.length > MAX_CHARACTERS) return '/';
  if (!URL.canParse(text, SOMEWHERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, SOMEWHERE);
  // A path that itself begins with two slashes would be a host once it is written as an address.
  return origin !== SOMEWHERE || pathname.startsWith('//') ? '/' : `${pathname}${search}${hash}`;
};
