import { DWELL_LABELS } from '@/lib/sites/text';
import type { SiteVisits } from '@/lib/sites/answers';
import { formatCount, formatDuration, formatWhole } from '@/lib/view/format';
import styles from './site.module.css';

/** How long visits last: median, longest, and how many lasted how long. */
export const Dwell = ({ dwell, scan }: Pick<SiteVisits, 'dwell' | 'scan'>) => {
  const { visits, medianMs, longestMs, histogram } = dwell;
  const most = Math.max(1, ...histogram);
  return (
    <section className={styles.section} aria-labelledby="dwell">
      <h2 id="dwell" className="lh-head">
        How long trucks stay
      </h2>
      {medianMs === null || longestMs === null ? (
        <p className={styles.none}>
          {scan !== null && scan.share < 1 ? 'Not known yet.' : 'No visit has ended in the last 30 days.'}
        </p>
      ) : (
        <>
          <p className={styles.figures}>
            <span>
              Median <b>{formatDuration(medianMs)}</b>
            </span>
            <span>
              Longest <b>{formatDuration(longestMs)}</b>
            </span>
            <span>of {formatCount(visits, 'visit')} that ended in the last 30 days</span>
          </p>
          <table className={styles.histogram}>
            <caption className="visually-hidden">Visits by how long they lasted</caption>
            <tbody>
              {histogram.map((count, step) => (
                <tr key={DWELL_LABELS[step]} data-empty={count === 0}>
                  <th scope="row">{DWELL_LABELS[step]}</th>
                  <td>
                    <span style={{ width: `${(count / most) * 100}%` }} aria-hidden="true" />
                    {formatWhole(count)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
};
