import { DWELL_LABELS } from '@/lib/sites/visits/text';
import type { SiteVisits } from '@/lib/sites/visits/answer';
import { formatCount, formatDuration, formatWhole } from '@/lib/view/format';
import { PartSection } from '@/components/kit/split';
import styles from './site.module.css';

/** How long visits last: median, longest, and how many lasted how long. */
export const Dwell = ({ dwell, scan }: Pick<SiteVisits, 'dwell' | 'scan'>) => {
  const { visits, medianMs, longestMs, histogram } = dwell;
  const most = Math.max(1, ...histogram);
  return (
    <PartSection title="How long trucks stay">
      {medianMs === null || longestMs === null ? (
        <p className="lh-dim">
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
    </PartSection>
  );
};
