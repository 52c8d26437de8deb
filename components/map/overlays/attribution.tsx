import type { CreditPiece } from '@/lib/map/schema';
import styles from '../fleet-map.module.css';

/** The maker of the embedded map whose license wants a link. */
const GEONAMES: CreditPiece = { text: 'GeoNames', href: 'https://www.geonames.org/' };

export interface AttributionProps {
  /** The tiles' own credit; null without tiles. */
  credit: readonly CreditPiece[] | null;
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
          {credit.map((piece, i) => (
            <Credit key={i} {...piece} />
          ))}
          {' · '}
        </>
      )}
      <Credit {...GEONAMES} />, US Census, Natural Earth
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
