import { Fragment } from 'react';
import styles from '../fleet-map.module.css';

/** A piece of a credit line: plain words, or a link. */
interface CreditPiece {
  text: string;
  href: string | null;
}

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

const EMBEDDED: CreditPiece[] = [
  { text: 'GeoNames', href: 'https://www.geonames.org/' },
  { text: 'US Census', href: 'https://www.census.gov/geographies/mapping-files.html' },
  { text: 'Natural Earth', href: 'https://www.naturalearthdata.com/' },
];

export interface AttributionProps {
  /** The tiles' own credit; null without tiles. */
  credit: string | null;
  /** The parts of the map that are missing. */
  note: string | null;
}

/** The makers of the map's data, always shown. */
export const Attribution = ({ credit, note }: AttributionProps) => (
  <div className={`lh-small ${styles.attribution}`}>
    <span role="status" className={styles.note}>
      {note}
    </span>
    <span>
      {credit !== null && (
        <>
          {parseCredit(credit).map((piece, i) => (
            <Credit key={i} {...piece} />
          ))}
          {' · '}
        </>
      )}
      {EMBEDDED.map((piece, i) => (
        <Fragment key={piece.text}>
          {i > 0 && ', '}
          <Credit {...piece} />
        </Fragment>
      ))}
    </span>
  </div>
);

const Credit = ({ text, href }: CreditPiece) =>
  href === null ? (
    text
  ) : (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
