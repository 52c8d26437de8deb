'use client';

import { Button } from '@mantine/core';
import { IconArrowLeft, IconMapPinSearch, IconPencil, IconTrash } from '@tabler/icons-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { useNowMs } from '@/components/ui/use-now';
import { usePlaces } from '@/components/ui/use-places';
import type { MapTiles } from '@/lib/map/schema';
import { hoursText } from '@/lib/alerts/text';
import { isWithinHours } from '@/lib/rules/hours';
import { centerOf } from '@/lib/rules/polygon';
import { useSiteVisits } from '@/lib/sites/page-queries';
import { useFleetSites } from '@/lib/sites/queries';
import type { Site } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { DeleteSite } from '../delete-site';
import { boundsOfShapes } from '../site-bounds';
import { SitesMap } from '../sites-map';
import pageStyles from '../sites-page.module.css';
import { toSiteSearch } from '../use-site-address';
import { Dwell } from './dwell';
import { HereNow } from './here-now';
import { VisitList } from './visit-list';
import styles from './site-page.module.css';

interface SitePageProps {
  id: number;
  tiles: MapTiles | null;
}

/** One site: who is there, who came and went, and its map. */
export const SitePage = ({ id, tiles }: SitePageProps) => {
  const { data: sites, error } = useFleetSites(useUsdot(), true);
  const site = sites?.find((each) => each.id === id);
  return (
    <div className={pageStyles.page}>
      <div className={pageStyles.notices}>
        <Notices />
      </div>
      {site === undefined || sites === undefined ? (
        <Missing text={sites !== undefined ? 'There is no such site any more.' : (error?.message ?? null)} />
      ) : (
        <Found site={site} sites={sites} tiles={tiles} />
      )}
    </div>
  );
};

const BackLink = () => (
  <Link href={`/fleets/${useUsdot()}/sites`} prefetch={false} className={styles.back}>
    <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
    Sites
  </Link>
);

const Missing = ({ text }: { text: string | null }) => (
  <div className={pageStyles.message} role="status">
    <BackLink />
    <h1 className={styles.title}>{text === null ? 'Loading the site…' : 'No site here'}</h1>
    {text === null ? null : <p>{text}</p>}
  </div>
);

interface FoundProps {
  site: Site;
  sites: readonly Site[];
  tiles: MapTiles | null;
}

const Found = ({ site, sites, tiles }: FoundProps) => {
  const { skewMs } = useReading();
  const nowMs = useNowMs() + skewMs;
  const { data: visits, error, isFetching, refetch } = useSiteVisits(useUsdot(), site.id, nowMs);
  const shown = useMemo(() => ({ sites, highlightedId: site.id }), [sites, site]);
  const bounds = useMemo(() => boundsOfShapes([site.shape]), [site]);
  const router = useRouter();
  const usdot = useUsdot();
  const onPick = (id: number): void => router.push(`/fleets/${usdot}/sites/${id}`);
  useTitle(site.name);
  return (
    <>
      <Head site={site} nowMs={nowMs} />
      <div className={pageStyles.body}>
        <div className={styles.column}>
          {site.notes === '' ? null : <p className={styles.notes}>{site.notes}</p>}
          <HereNow site={site} visits={visits ?? null} />
          {visits !== undefined ? (
            visits.isRecorded ? (
              <>
                <Dwell {...visits} />
                <VisitList site={site} answer={visits} />
              </>
            ) : (
              <p className={styles.none}>
                This server does not record its fleets, so no arrivals and departures are known.
              </p>
            )
          ) : error === null ? (
            <p className={styles.none} role="status">
              Loading the visits…
            </p>
          ) : (
            <div className={styles.none} role="alert">
              <p>The visits could not be loaded: {error.message}</p>
              <Button variant="default" mt={8} loading={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            </div>
          )}
        </div>
        <SitesMap sites={{ ...shown, onPick }} bounds={bounds} tiles={tiles} name="the site" />
      </div>
    </>
  );
};

/** The tab is named by the site, which only the browser knows. */
const useTitle = (name: string): void => {
  useEffect(() => {
    document.title = `${name} · Linehaul`;
  }, [name]);
};

/** About a site the units of its region are in view. */
const NEAR_ZOOM = 8;

const Head = ({ site, nowMs }: { site: Site; nowMs: number }) => {
  const place = usePlaces()?.(centerOf(site.shape));
  const { name, kind, color, openingHours } = site;
  return (
    <header className={pageStyles.head}>
      <div className={styles.names}>
        <BackLink />
        <h1 className={styles.title}>
          <span className={pageStyles.swatch} style={{ background: color }} aria-hidden="true" />
          {name}
        </h1>
        <p>
          {[SITE_KIND_LABELS[kind], place].filter(Boolean).join(' · ')}
          {openingHours === null ? null : (
            <>
              {' · '}
              <b className={styles.open} data-open={isWithinHours(openingHours, nowMs)}>
                {isWithinHours(openingHours, nowMs) ? 'Open' : 'Closed'}
              </b>{' '}
              ({hoursText(openingHours)})
            </>
          )}
        </p>
      </div>
      <Actions site={site} />
    </header>
  );
};

const Actions = ({ site }: { site: Site }) => {
  const base = `/fleets/${useUsdot()}`;
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  const mayChange = useSeesAllUnits();
  const center = centerOf(site.shape);
  const camera = { ...center, zoom: NEAR_ZOOM };
  const near = { ...center, name: site.name };
  return (
    <>
      <div className={pageStyles.actions}>
        {mayChange ? (
          <Button
            variant="default"
            leftSection={<IconTrash size={17} stroke={1.75} aria-hidden="true" />}
            onClick={() => setDeleting(true)}
          >
            Delete…
          </Button>
        ) : null}
        <Button
          component={Link}
          {...toMapLink(`${base}${toViewSearch({ ...EVERYTHING, near, camera, showsSites: true })}`)}
          variant="default"
          leftSection={<IconMapPinSearch size={17} stroke={1.75} aria-hidden="true" />}
        >
          Nearest trucks
        </Button>
        {mayChange ? (
          <Button
            component={Link}
            href={`${base}/sites${toSiteSearch({ kind: 'edit', id: site.id })}`}
            prefetch={false}
            leftSection={<IconPencil size={17} stroke={1.75} aria-hidden="true" />}
          >
            Edit
          </Button>
        ) : null}
      </div>
      {isDeleting ? (
        <DeleteSite
          site={site}
          onClose={() => setDeleting(false)}
          onDeleted={() => router.push(`${base}/sites`)}
        />
      ) : null}
    </>
  );
};
