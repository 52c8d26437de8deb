'use client';

import { IconButton } from '@/components/kit/page-frame';
import { IconArrowLeft, IconHistory, IconMapPinSearch, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { useRouter } from 'next/navigation';
import { Suspense, lazy, useEffect, useMemo, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { toMapLink } from '@/components/fleet-state/map-link';
import { Answered, FullPage, HeadActions, Message, PageHead } from '@/components/kit/full-page';
import { Part, Side, Split } from '@/components/kit/split';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { useNowMs } from '@/components/ui/use-now';
import { usePlaces } from '@/components/ui/use-places';
import { hoursText } from '@/lib/alerts/text';
import { isWithinHours } from '@/lib/rules/hours';
import { centerOf } from '@/lib/rules/polygon';
import { useSiteVisits } from '@/lib/sites/page-queries';
import { useFleetSites } from '@/lib/sites/queries';
import type { Site } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import type { MapTiles } from '@/lib/map/schema';
import { dayOf, presetSpan } from '@/lib/trips/days';
import { EVERYTHING, toViewSearch } from '@/lib/view/view-state';
import { DeleteSite } from '../delete-site';
import { boundsOfShapes } from '../site-bounds';
import { SitesMap } from '../sites-map';
import pageStyles from '../sites.module.css';
import { toSiteSearch } from '../use-site-address';
import { HereNow } from './here-now';
import styles from './site.module.css';
import { Dwell, VisitList } from './visit-list';

export const SitePage = ({ id, tiles }: { id: number; tiles: MapTiles | null }) => {
  const query = useFleetSites(useUsdot(), true);
  return (
    <FullPage notices={<Notices />}>
      <Answered
        query={query}
        failure="No site here"
        loading={
          <Message title="Loading the site…">
            <BackLink />
          </Message>
        }
      >
        {(sites) => {
          const site = sites.find((each) => each.id === id);
          return site === undefined ? (
            <Message title="No site here">
              <p>There is no such site any more.</p>
              <BackLink />
            </Message>
          ) : (
            <Found site={site} sites={sites} tiles={tiles} />
          );
        }}
      </Answered>
    </FullPage>
  );
};

const BackLink = () => (
  <Link href={`/fleets/${useUsdot()}/sites`} prefetch={false} className={`lh-link ${styles.back}`}>
    <IconArrowLeft size={16} stroke={2} aria-hidden="true" />
    Sites
  </Link>
);

const Found = ({ site, sites, tiles }: { site: Site; sites: readonly Site[]; tiles: MapTiles | null }) => {
  const { skewMs } = useReading();
  const nowMs = useNowMs() + skewMs;
  const query = useSiteVisits(useUsdot(), site.id, nowMs);
  const shown = useMemo(() => ({ sites, highlightedId: site.id }), [sites, site]);
  const bounds = useMemo(() => boundsOfShapes([site.shape]), [site]);
  const router = useRouter();
  const usdot = useUsdot();
  const onPick = (id: number): void => router.push(`/fleets/${usdot}/sites/${id}`);
  useTitle(site.name);
  return (
    <>
      <Head site={site} nowMs={nowMs} />
      <Split>
        <Side isScrolled>
          {site.notes === '' ? null : (
            <Part tone="ground" style={{ whiteSpace: 'pre-line' }}>
              {site.notes}
            </Part>
          )}
          <HereNow site={site} visits={query.data ?? null} />
          <Suspense>
            <SiteCalendars site={site} />
          </Suspense>
          <Answered query={query} failure="The visits could not be loaded." loading={LOADING}>
            {(answer) =>
              answer.isRecorded ? (
                <>
                  <Dwell {...answer} />
                  <VisitList site={site} answer={answer} />
                </>
              ) : (
                <Part>This server does not record its fleets, so no arrivals and departures are known.</Part>
              )
            }
          </Answered>
        </Side>
        <SitesMap sites={{ ...shown, onPick }} bounds={bounds} tiles={tiles} name="the site" />
      </Split>
    </>
  );
};

const SiteCalendars = lazy(() => import('./site-calendars'));

const LOADING = <Part role="status">Loading the visits…</Part>;

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
    <PageHead
      back={<BackLink />}
      title={
        <>
          <span className={pageStyles.swatch} style={{ background: color }} aria-hidden="true" />
          {name}
        </>
      }
      about={
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
      }
    >
      <Actions site={site} nowMs={nowMs} />
    </PageHead>
  );
};

const Actions = ({ site, nowMs }: { site: Site; nowMs: number }) => {
  const base = `/fleets/${useUsdot()}`;
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  // The days are those of the browser's time zone.
  const today = dayOf(nowMs, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const mayChange = useSeesAllUnits();
  const center = centerOf(site.shape);
  const camera = { ...center, zoom: NEAR_ZOOM };
  const near = { ...center, name: site.name };
  return (
    <>
      <HeadActions>
        <IconButton
          component={Link}
          {...toMapLink(`${base}${toViewSearch({ ...EVERYTHING, near, camera, showsSites: true })}`)}
          Icon={IconMapPinSearch}
        >
          Nearest trucks
        </IconButton>
        {mayChange ? (
          <IconButton
            component={Link}
            href={`${base}/history?${new URLSearchParams({ question: 'who', site: String(site.id), ...presetSpan('week', today) })}`}
            prefetch={false}
            Icon={IconHistory}
          >
            Who was here?
          </IconButton>
        ) : null}
        {mayChange ? (
          <IconButton
            component={Link}
            href={`${base}/sites${toSiteSearch({ kind: 'edit', id: site.id })}`}
            prefetch={false}
            Icon={IconPencil}
            variant="filled"
          >
            Edit
          </IconButton>
        ) : null}
        {mayChange ? (
          <IconButton Icon={IconTrash} onClick={() => setDeleting(true)}>
            Delete…
          </IconButton>
        ) : null}
      </HeadActions>
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
