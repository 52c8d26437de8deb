import 'server-only';
import type { Encoding } from '@/lib/live/encode/compress';

/** The first of the offered encodings that an Accept-Encoding header allows (RFC 9110, 12.5.3), else identity. */
export const chooseEncoding = (
  header: string | null,
  offered: readonly ('br' | 'gzip')[] = ['br', 'gzip'],
): Encoding => {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const isAllowed = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return offered.find(isAllowed) ?? 'identity';
};
