import { encode } from 'uqr';
import styles from './qr-code.module.css';

/** Dark squares as one path, a unit each. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

/** A QR code, dark on white in either scheme, with the quiet margin that readers need. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={toPath(data)} shapeRendering="crispEdges" />
    </svg>
  );
};
