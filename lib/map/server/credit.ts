import 'server-only';
import type { CreditPiece } from '../schema';

const LINK = /<a\s[^>]*?href=(["'])(https?:\/\/[^"']+)\1[^>]*>(.*?)<\/a>/gis;
const ENTITIES: Record<string, string> = { amp: '&', copy: '©', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

const toPlain = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** A credit line in HTML, reduced to words and links. */
export const parseCredit = (html: string): CreditPiece[] => {
  const pieces: CreditPiece[] = [];
  let end = 0;
  for (const match of html.matchAll(LINK)) {
    pieces.push({ text: toPlain(html.slice(end, match.index)), href: null });
    pieces.push({ text: toPlain(match[3]!), href: match[2]! });
    end = match.index + match[0].length;
  }
  pieces.push({ text: toPlain(html.slice(end)), href: null });
  return pieces.filter(({ text }) => text !== '');
};
