import { Fragment } from 'react';
import { parseCredit } from './attribution-text';
import styles from './map-attribution.module.css';
import type { CreditPiece } from './attribution-text';

const EMBEDDED: CreditPiece[] = [
  { text: 'GeoNames', href: 'https://www.geonames.org/' },
  { text: 'US Census', href: 'https://www.census.gov/geographies/mapping-files.html' },
  { text: 'Natural Earth', href: 'https://www.naturalearthdata.com/' },
];

const Credit = ({ text, href }: CreditPiece) =>
  href === null ? (
    text
  ) : (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );

interface MapAttributionProps {
  /** The tiles' own credit; null without tiles. */
  credit: string | null;
  /** What of the map is missing, said quietly. */
  note: string | null;
}

/** Who made what the map shows. Always there. */
export function MapAttribution({ credit, note }: MapAttributionProps) {
  return (
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
}
