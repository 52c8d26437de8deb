import { UnitGlyph } from '@/components/map/status-glyph';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { PartSection } from '@/components/kit/split';
import { Link } from '@/components/ui/link';
import { useNowMs } from '@/components/ui/use-now';
import type { Site } from '@/lib/rules/site';
import { arrivalText } from '@/lib/sites/text';
import type { ListedVisit, SiteVisits } from '@/lib/sites/answers';
import { formatDuration, formatWhole } from '@/lib/view/format';
import { statusText } from '@/lib/view/text';
import { unitName } from '@/lib/view/unit-name';
import { findRow, readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import type { Fleet } from '@/lib/wire/fleet';
import styles from './site.module.css';

interface Here {
  key: string;
  name: string;
  /** Null where it is not in the live fleet. */
  unit: UnitRow | null;
  /** Null where its arrival is not recorded. */
  visit: ListedVisit | null;
}

const toNamed = ({ identity }: UnitRow) => ({ key: identity.key, name: unitName(identity) });

/** The units of open visits, and those that the live fleet has at the site. */
const listHere = (fleet: Fleet | null, site: Site, visits: SiteVisits | null): Here[] => {
  const nameOf = new Map(visits?.units.map(({ key, name }) => [key, name]));
  const here = (visits?.open ?? []).map((visit): Here => {
    const unit = fleet === null ? null : readUnitRow(fleet, findRow(fleet, visit.unit));
    if (unit !== null) return { ...toNamed(unit), unit, visit };
    return { key: visit.unit, name: nameOf.get(visit.unit) ?? visit.unit, unit, visit };
  });
  const rows = new Set(here.map(({ unit }) => unit?.row));
  fleet?.columns.siteId.forEach((siteId, row) => {
    const unit = siteId !== site.id || rows.has(row) ? null : readUnitRow(fleet, row);
    if (unit !== null) here.push({ ...toNamed(unit), unit, visit: null });
  });
  return here;
};

/** While visits are still being found, a truck may be here that is not known yet. */
const noneText = (visits: SiteVisits | null): string => {
  if (visits === null) return 'Loading the trucks…';
  return visits.scan !== null && visits.scan.share < 1 ? 'Looking for trucks…' : 'No truck is here.';
};

export const HereNow = ({ site, visits }: { site: Site; visits: SiteVisits | null }) => {
  const { fleet, skewMs } = useReading();
  const base = `/fleets/${useUsdot()}`;
  const nowMs = useNowMs() + skewMs;
  const here = listHere(fleet, site, visits);
  return (
    <PartSection title={<>Here now {here.length === 0 ? null : <b>{formatWhole(here.length)}</b>}</>}>
      {here.length === 0 ? (
        <p className="lh-dim">{noneText(visits)}</p>
      ) : (
        <ul className={`lh-list ${styles.here}`}>
          {here.map(({ key, name, unit, visit }) => (
            <li key={key}>
              <Link {...toMapLink(`${base}${toViewSearch({ ...EVERYTHING, unit: key, showsSites: true })}`)}>
                {unit === null ? null : <UnitGlyph unit={unit} size={18} />}
                <b>{name}</b>
                <span className="lh-note">{unit === null ? 'not listed now' : statusText(unit, nowMs)}</span>
                <span className={`lh-note ${styles.since}`}>
                  {visit === null
                    ? null
                    : `arrived ${arrivalText(visit, nowMs)} · ${formatDuration(nowMs - visit.arrivedMs)}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </PartSection>
  );
};
