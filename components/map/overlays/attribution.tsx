import { Fragment } from 'react';
import { parseCredit, type CreditPiece } from './attribution-text';
import styles from './map-foot.module.css';

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
  <div className={styles.attribution}>
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
