import { ActionIcon } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { WindowList } from '@/components/kit/split';
import { Link } from '@/components/ui/link';
import { usePlaces } from '@/components/ui/use-places';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { countAtSites } from '@/lib/sites/site-table';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { formatWhole } from '@/lib/view/format';
import { openTask } from './use-site-address';
import styles from './sites.module.css';

const ROW_PX = 58;

interface SiteListProps {
  /** Their order is that of the list. */
  sites: readonly Site[];
  onHover: (id: number | null) => void;
}

/** The sites by name; only those in view are in the page. */
export const SiteList = ({ sites, onHover }: SiteListProps) => {
  const { fleet } = useReading();
  const counts = useMemo(() => (fleet === null ? null : countAtSites(fleet)), [fleet]);
  return (
    <WindowList
      label="List of sites"
      rows={sites}
      rowPx={ROW_PX}
      keyOf={({ id }) => id}
      itemOf={({ id }) => ({
        className: `lh-row ${styles.row}`,
        onPointerEnter: () => onHover(id),
        onPointerLeave: () => onHover(null),
        onFocus: () => onHover(id),
      })}
    >
      {(site) => <SiteLine site={site} count={counts?.get(site.id) ?? 0} />}
    </WindowList>
  );
};

const SiteLine = ({ site, count }: { site: Site; count: number }) => {
  const base = `/fleets/${useUsdot()}`;
  const placeAt = usePlaces();
  const mayChange = useSeesAllUnits();
  const { id, name, kind, color, shape } = site;
  const place = placeAt?.(centerOf(shape));
  return (
    <>
      <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
      <Link className={styles.open} href={`${base}/sites/${id}`}>
        <b className="lh-cut">{name}</b>
        <span className="lh-cut lh-note">{[SITE_KIND_LABELS[kind], place].filter(Boolean).join(' · ')}</span>
      </Link>
      {count === 0 ? null : (
        <Link
          className={`lh-link ${styles.here}`}
          {...toMapLink(`${base}${toViewSearch({ ...EVERYTHING, sites: [id], showsSites: true })}`)}
          title={`Trucks at ${name}`}
        >
          <b>{formatWhole(count)}</b> here
        </Link>
      )}
      {mayChange ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          className={styles.edit}
          aria-label={`Edit ${name}`}
          onClick={() => openTask({ kind: 'edit', id })}
        >
          <IconPencil size={18} stroke={1.75} aria-hidden="true" />
        </ActionIcon>
      ) : null}
    </>
  );
};
