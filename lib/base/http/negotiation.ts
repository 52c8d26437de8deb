export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The weight that each coding of an Accept-Encoding header is given (RFC 9110, section 12.5.3). */
const parseWeights = (header: string): Map<string, number> => {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (coding !== '') weights.set(coding, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
};

/**
 * The encoding of the response: of those offered that the client prefers, the smallest. Without the header, or
 * where none of them is accepted, the bytes are sent uncompressed.
 */
export const chooseEncoding = (
  header: string | null,
  offered: readonly ('br' | 'gzip')[] = ['br', 'gzip'],
): Encoding => {
  if (header === null) return 'identity';
  const weights = parseWeights(header);
  // Uncompressed is always acceptable unless it is refused by name, and never preferred over a requested encoding.
  const weigh = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === 'identity' ? Number.MIN_VALUE : (weights.get('*') ?? 0));
  const candidates: Encoding[] = [...offered, 'identity'];
  const best = candidates.reduce((held, each) => (weigh(each) > weigh(held) ? each : held));
  return weigh(best) > 0 ? best : 'identity';
};

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** Whether an If-None-Match header names the entity tag, by weak comparison (RFC 9110, section 13.1.2). */
export const isNoneMatchFailed = (header: string | null, etag: string): boolean => {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  for (const [, tag] of header.matchAll(ENTITY_TAG)) if (tag === etag.replace(/^W\//, '')) return true;
  return false;
};
