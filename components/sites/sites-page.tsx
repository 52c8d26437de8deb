'use client';

import { toTextMatcher } from '@/lib/view/search';
import { useSearchText } from '@/components/fleet-state/search-text';
import { Button } from '@mantine/core';
import { IconButton } from '@/components/kit/page-frame';
import { IconBulb, IconPlus, IconUpload } from '@tabler/icons-react';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { Suspense, useMemo, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered, FullPage, HeadActions, LoadingLines, Message, PageHead } from '@/components/kit/full-page';
import { Part, Side, Split } from '@/components/kit/split';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import type { MapTiles } from '@/lib/map/schema';
import { useFleetSites } from '@/lib/sites/queries';
import type { Site, SiteInput } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { bySiteName } from '@/lib/sites/site-table';
import { formatCount } from '@/lib/view/format';
import { SiteEditor } from './editor/site-editor';
import { ExportSites } from './import/export-sites';
import { ImportSites } from './import/import-sites';
import { boundsOfShapes } from './site-bounds';
import { SiteList } from './site-list';
import { SitesMap } from './sites-map';
import { SuggestedSites } from './suggested/suggested-sites';
import { openTask, useSiteTask, type SiteTask } from './use-site-address';

interface SitesPageProps {
  /** Arrivals and departures are recorded. */
  isRecorded: boolean;
  tiles: MapTiles | null;
}

const truckDots = onDemand(() => import('./truck-dots').then(({ TruckDots }) => TruckDots));

const LIST: SiteTask = { kind: 'list' };

/** The sites of a fleet: yards, customers, fuel stops, areas where no truck may go. */
export const SitesPage = ({ isRecorded, tiles }: SitesPageProps) => {
  const query = useFleetSites(useUsdot(), true);
  // What the address asks for is not known to the server.
  const isMounted = useMounted();
  const asked = useSiteTask();
  // The address may ask for a change that only users of the whole fleet may make.
  const task = useSeesAllUnits() ? asked : LIST;
  return (
    <FullPage notices={<Notices />}>
      <Head sites={query.data ?? null} isList={task.kind === 'list'} isRecorded={isRecorded} />
      <Split>
        <Answered query={query} failure="The sites could not be loaded." loading={LOADING}>
          {(sites) =>
            isMounted ? <Task task={task} sites={sites} isRecorded={isRecorded} tiles={tiles} /> : LOADING
          }
        </Answered>
      </Split>
    </FullPage>
  );
};

const LOADING = <LoadingLines label="Loading the sites…" count={10} />;

interface TaskProps extends SitesPageProps {
  task: SiteTask;
  sites: readonly Site[];
}

const Task = ({ task, sites, isRecorded, tiles }: TaskProps) => {
  // Of a suggested place that is edited before it is added.
  const [suggestion, setSuggestion] = useState<SiteInput | null>(null);
  // The browser's Back may have left its form.
  if (task.kind === 'list' && suggestion !== null) setSuggestion(null);
  const edited = task.kind === 'edit' ? sites.find(({ id }) => id === task.id) : undefined;
  const leave = (): void => {
    openTask({ kind: suggestion === null ? 'list' : 'suggested' });
    setSuggestion(null);
  };
  if (task.kind === 'new' || edited !== undefined)
    return (
      <SiteEditor
        key={edited?.id ?? 'new'}
        site={edited ?? null}
        suggestion={task.kind === 'new' ? (suggestion ?? undefined) : undefined}
        sites={sites}
        tiles={tiles}
        onDone={leave}
      />
    );
  if (task.kind === 'suggested')
    return (
      <SuggestedSites
        sites={sites}
        tiles={tiles}
        onEdit={(site) => {
          setSuggestion(site);
          openTask({ kind: 'new' });
        }}
      />
    );
  return <Overview sites={sites} isRecorded={isRecorded} tiles={tiles} />;
};

interface HeadProps extends Pick<SitesPageProps, 'isRecorded'> {
  sites: readonly Site[] | null;
  isList: boolean;
}

const Head = ({ sites, isList, isRecorded }: HeadProps) => {
  const [isImporting, setImporting] = useState(false);
  const mayChange = useSeesAllUnits();
  return (
    <PageHead
      title="Sites"
      about={sites === null || sites.length === 0 ? null : <p>{formatCount(sites.length, 'site')}</p>}
    >
      {!isList || sites === null ? null : (
        <HeadActions>
          <ExportSites sites={sites} />
          {isRecorded && mayChange ? (
            <IconButton Icon={IconBulb} onClick={() => openTask({ kind: 'suggested' })}>
              Suggested
            </IconButton>
          ) : null}
          {mayChange ? (
            <>
              <IconButton Icon={IconUpload} onClick={() => setImporting(true)}>
                Import
              </IconButton>
              <IconButton Icon={IconPlus} variant="filled" onClick={() => openTask({ kind: 'new' })}>
                Add site
              </IconButton>
            </>
          ) : null}
        </HeadActions>
      )}
      {isImporting && sites !== null ? (
        <ImportSites sites={sites} onClose={() => setImporting(false)} />
      ) : null}
    </PageHead>
  );
};

const Overview = ({ sites, isRecorded, tiles }: SitesPageProps & { sites: readonly Site[] }) => {
  const usdot = useUsdot();
  const router = useRouter();
  const mayChange = useSeesAllUnits();
  const [query, setQuery] = useSearchText();
  const [hoveredId, setHoveredId] = useState<number | null>(null);
  const sorted = useMemo(() => [...sites].sort(bySiteName), [sites]);
  const listed = useMemo(() => {
    const matches = toTextMatcher(query);
    return sorted.filter(({ name, kind, notes }) => matches([name, SITE_KIND_LABELS[kind], notes]));
  }, [sorted, query]);
  const bounds = useMemo(() => boundsOfShapes(listed.map(({ shape }) => shape)), [listed]);
  const shown = {
    sites: listed,
    highlightedId: hoveredId,
    onPick: (id: number) => router.push(`/fleets/${usdot}/sites/${id}`),
  };
  return (
    <>
      <Side aria-label="Sites">
        {sites.length === 0 ? (
          <NoSites isRecorded={isRecorded} mayChange={mayChange} />
        ) : (
          <>
            {isRecorded ? null : (
              <Part tone="warn">
                This server does not record its fleets, so no arrivals and departures are known.
              </Part>
            )}
            {listed.length === 0 ? (
              <Message title={`No site matches “${query.trim()}”.`}>
                <Button variant="default" onClick={() => setQuery('')}>
                  Clear search
                </Button>
              </Message>
            ) : (
              <SiteList sites={listed} onHover={setHoveredId} />
            )}
          </>
        )}
      </Side>
      <SitesMap
        sites={shown}
        bounds={bounds}
        tiles={tiles}
        name="all sites"
        hasUnits={sites.length === 0}
        render={(map) =>
          sites.length === 0 ? null : (
            <Suspense>
              <truckDots.Part map={map} />
            </Suspense>
          )
        }
      />
    </>
  );
};

const NoSites = ({ isRecorded, mayChange }: Pick<SitesPageProps, 'isRecorded'> & { mayChange: boolean }) => (
  <Message title="No sites yet">
    {mayChange ? (
      <>
        <p>
          Add your yards, customers, fuel stops, and areas where no truck may go. A truck that is at one is
          shown with its name instead of the town’s
          {isRecorded ? ', and its arrivals and departures are kept' : ''}.
        </p>
        <Button onClick={() => openTask({ kind: 'new' })}>Add the first site</Button>
      </>
    ) : null}
  </Message>
);
