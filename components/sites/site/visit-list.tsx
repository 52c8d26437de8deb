import { useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { NearLink } from '@/components/ui/near-link';
import { useRowWindow } from '@/components/ui/use-row-window';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { LEARNED_LATER, arrivalText, departureText, scanText } from '@/lib/sites/text';
import type { ListedVisit, SiteVisits } from '@/lib/sites/answers';
import { formatDuration, formatWhole } from '@/lib/view/format';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import styles from './site-page.module.css';

const ROW_PX = 72;
const OVERSCAN = 8;
/** Near enough to see the site. */
const ZOOM = 15;

/** Arrivals and departures of the last 30 days, the newest first; each leads to its moment on the map. */
export const VisitList = ({ site, answer }: { site: Site; answer: SiteVisits }) => {
  const { visits, units, hasMore, nowMs, scan } = answer;
  const found = scanText(scan, nowMs);
  const { scroller, indexes, abovePx, belowPx } = useRowWindow(visits.length, ROW_PX, OVERSCAN);
  const nameOf = new Map(units.map(({ key, name }) => [key, name]));
  return (
    <section className={styles.section} aria-labelledby="visits">
      <h2 id="visits" className="lh-head">
        Arrivals and departures, 30 days
      </h2>
      {found !== null ? (
        <p className={styles.none} role="status">
          {found}
        </p>
      ) : visits.length === 0 ? (
        <p className={styles.none}>No truck came or left.</p>
      ) : null}
      {hasMore ? <p className={styles.none}>The newest {formatWhole(visits.length)} visits.</p> : null}
      {visits.length === 0 ? null : (
        <div ref={scroller} className={styles.visits} role="region" aria-label="Visits" tabIndex={0}>
          <ul style={{ paddingTop: abovePx, paddingBottom: belowPx }}>
            {indexes.map((index) => {
              const visit = visits[index];
              if (visit === undefined) return null;
              return (
                <li
                  key={`${visit.unit} ${visit.arrivedMs}`}
                  style={{ height: ROW_PX }}
                  aria-setsize={visits.length}
                  aria-posinset={index + 1}
                >
                  <VisitLine
                    visit={visit}
                    name={nameOf.get(visit.unit) ?? visit.unit}
                    site={site}
                    nowMs={nowMs}
                  />
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </section>
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
      <span className={styles.dwell}>
        {leftMs === null ? 'still here' : formatDuration(leftMs - arrivedMs)}
        {visit.isLearnedLater ? `, ${LEARNED_LATER}` : null}
      </span>
      <span className={styles.when}>
        <NearLink {...linkTo(arrivedMs)}>Arrived {arrivalText(visit, nowMs)}</NearLink>
        {left === null ? null : <NearLink {...linkTo(leftByMs ?? leftMs!)}>Left {left}</NearLink>}
      </span>
    </>
  );
};
