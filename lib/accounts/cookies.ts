import 'server-only';

/** A cookie's value as it was sent; null where it was not. Of several of one name the first counts, as better-auth reads. */
export const readCookie = (header: string | null, name: string): string | null => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
};
