/**
 * Why a text is no base URL of a tracking API, as the end of a sentence; null: it is one. A bare "?" or "#" counts as a
 * query or a fragment, although a parsed URL shows neither: it would cut off the path that is appended.
 */
export const findBaseUrlFault = (text: string): string | null => {
  if (/[\s\\\p{C}]/u.test(text)) return 'must not hold blanks, backslashes or invisible characters';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  // Parsed, the sign alone shows neither.
  if (/^[^/]*\/*[^/?#]*@/.test(text)) return 'must not hold a user name or password';
  return /[?#]/.test(text) ? 'must not hold a query or a fragment' : null;
};
