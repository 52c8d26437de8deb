import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { StatementButton } from '@/components/statements/statement-button';
import { PartSection, WindowList } from '@/components/kit/split';
import { Link } from '@/components/ui/link';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { LEARNED_LATER, arrivalText, departureText, scanText, DWELL_LABELS } from '@/lib/sites/text';
import type { ListedVisit, SiteVisits } from '@/lib/sites/answers';
import { stayedMs } from '@/lib/sites/visit-report';
import { formatDuration, formatWhole, formatCount } from '@/lib/view/format';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import styles from './site.module.css';

const ROW_PX = 88;
/** Near enough to see the site. */
const ZOOM = 15;

/** Arrivals and departures of the last 30 days, the newest first; each leads to its moment on the map. */
export const VisitList = ({ site, answer }: { site: Site; answer: SiteVisits }) => {
  const { visits, units, hasMore, nowMs, scan } = answer;
  const found = scanText(scan, nowMs);
  const nameOf = new Map(units.map(({ key, name }) => [key, name]));
  return (
    <PartSection title="Arrivals and departures, 30 days">
      {found !== null ? (
        <p className="lh-dim" role="status">
          {found}
        </p>
      ) : visits.length === 0 ? (
        <p className="lh-dim">No truck came or left.</p>
      ) : null}
      {hasMore ? <p className="lh-dim">The newest {formatWhole(visits.length)} visits.</p> : null}
      {visits.length === 0 ? null : (
        <WindowList
          label="Visits"
          rows={visits}
          rowPx={ROW_PX}
          keyOf={({ unit, arrivedMs }) => `${unit} ${arrivedMs}`}
          className={styles.visits}
        >
          {(visit) => (
            <VisitLine visit={visit} name={nameOf.get(visit.unit) ?? visit.unit} site={site} nowMs={nowMs} />
          )}
        </WindowList>
      )}
    </PartSection>
  );
};

interface VisitLineProps {
  visit: ListedVisit;
  name: string;
  site: Site;
  nowMs: number;
}

const VisitLine = ({ visit, name, site, nowMs }: VisitLineProps) => {
  const base = `/fleets/${useUsdot()}`;
  const { unit, arrivedMs, leftMs, leftByMs } = visit;
  const camera = { ...centerOf(site.shape), zoom: ZOOM };
  const linkTo = (atMs: number) => {
    // The address has whole seconds.
    const past = { atMs: Math.floor(atMs / 1000) * 1000, speed: 1 as const };
    return toMapLink(`${base}${toViewSearch({ ...EVERYTHING, unit, camera, past, showsSites: true })}`);
  };
  const left = departureText(visit, nowMs);
  return (
    <>
      <b className="lh-cut">{name}</b>
      <span className="lh-dim">
        {leftMs === null ? 'still here' : formatDuration(stayedMs(visit)!)}
        {visit.isLearnedLater ? `, ${LEARNED_LATER}` : null}
      </span>
      <span className={styles.when}>
        <Link {...linkTo(arrivedMs)} className="lh-link">
          Arrived {arrivalText(visit, nowMs)}
        </Link>
        {left === null ? null : (
          <Link {...linkTo(leftByMs ?? leftMs!)} className="lh-link">
            Left {left}
          </Link>
        )}
      </span>
      {leftMs === null ? null : (
        <StatementButton
          stay={{ unit, siteId: site.id, arrivedMs }}
          about={`truck ${name} here`}
          className={styles.statement}
        />
      )}
    </>
  );
};

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
