const PLACEHOLDER_ORIGIN = 'http://linehaul.invalid';
const MAX_CHARACTERS = 2000;

/** The path after sign-in, "/" for another origin: parsed, because browsers read "//host" and "/\host" as another host. */
export const toNextPath = (text: string | null | undefined): string => {
  if (typeof text !== 'string' || !text.startsWith('/') || text.length > MAX_CHARACTERS) return '/';
  if (!URL.canParse(text, PLACEHOLDER_ORIGIN)) return '/';
  const { origin, pathname, search, hash } = new URL(text, PLACEHOLDER_ORIGIN);
  // A path that starts with two slashes is a host once it is serialized as a URL.
  return origin !== PLACEHOLDER_ORIGIN || pathname.startsWith('//') ? '/' : `${pathname}${search}${hash}`;
};
