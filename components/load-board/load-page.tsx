'use client';

import { useMounted } from '@mantine/hooks';
import { IconPencil, IconQrcode, IconSquareCheck, IconTrash, IconTruck } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { ContactLine } from '@/components/contacts/contact-line';
import { BackToLoads } from '@/components/loads/back-to-loads';
import { NotReadAgain } from '@/components/loads/not-read-again';
import { LoadVerdict } from '@/components/loads/verdict';
import { Notices } from '@/components/fleet-shell/notices';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered, FullPage, HeadActions, LoadingLines, PageHead } from '@/components/kit/full-page';
import { IconButton } from '@/components/kit/page-frame';
import { Section } from '@/components/panel/facts';
import { ShareLoad } from '@/components/shares/share-button';
import { SharesOfLoad } from '@/components/shares/shares-section';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { Link } from '@/components/ui/link';
import { onDemand } from '@/components/ui/popup/on-demand';
import { MINUTE_MS } from '@/lib/base/time';
import type { Load, LoadHistory, LoadInFull } from '@/lib/loads/load';
import { useLoad } from '@/lib/loads/page-queries';
import { useContactOf } from '@/lib/contacts/queries';
import {
  eventText,
  eventTimeText,
  laterVerdictText,
  numbersText,
  stateText,
  verdictDetail,
} from '@/lib/loads/text';
import type { MapTiles } from '@/lib/map/schema';
import { formatMoment } from '@/lib/view/format';
import type { LoadTask } from './load-dialogs';
import styles from './load-page.module.css';
import { StopsAxis } from './stops-axis';
import { useTruckName } from '@/components/fleet-state/use-trucks';

// Leaflet needs a window: the map is no part of the HTML.
const loadMap = onDemand(() => import('./load-map').then(({ LoadMap }) => LoadMap));
const dialogs = onDemand(() => import('./load-dialogs').then(({ LoadDialog }) => LoadDialog));

const LOADING = <LoadingLines label="Loading the load…" />;

/** One load: its stops on a time axis, where its trucks went, and what happened. */
export const LoadPage = ({ id, tiles }: { id: number; tiles: MapTiles | null }) => {
  const usdot = useUsdot();
  const query = useLoad(usdot, id);
  const isMounted = useMounted();
  return (
    <FullPage notices={<Notices />} isScrolled>
      {isMounted && query.data !== undefined ? (
        <Head load={query.data.load} />
      ) : (
        <PageHead back={<BackToLoads />} title="Load" />
      )}
      <NotReadAgain query={query} />
      <Answered query={query} failure="This load could not be shown." loading={LOADING}>
        {({ load, events }) => (isMounted ? <Content load={load} events={events} tiles={tiles} /> : LOADING)}
      </Answered>
    </FullPage>
  );
};

/** The server's clock, Unix ms, to the minute. */
const useMinuteMs = (): number => Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;

const Head = ({ load }: { load: LoadInFull }) => {
  const nowMs = useMinuteMs();
  const { reference, customer, tags } = load;
  const about = [customer, numbersText(load), ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' · ');
  // The tab is named by the load, which only the browser knows.
  useEffect(() => {
    document.title = `Load ${reference} · Linehaul`;
  }, [reference]);
  return (
    <PageHead back={<BackToLoads />} title={`Load ${reference}`} about={<p>{about}</p>}>
      <div className={styles.now}>
        <LoadVerdict load={load} nowMs={nowMs} />{' '}
        <span className="lh-note">
          {[verdictDetail(load, nowMs), laterVerdictText(load, nowMs)].filter(Boolean).join('; ')}
        </span>
        <p>{stateText(load, nowMs)}</p>
      </div>
      <HeadActions>
        {load.endedMs === null ? <ShareLoad load={load} /> : null}
        {useSeesAllUnits() ? <Actions load={load} /> : null}
      </HeadActions>
    </PageHead>
  );
};

const Actions = ({ load }: { load: Load }) => {
  const usdot = useUsdot();
  const router = useRouter();
  const [task, setTask] = useState<LoadTask | null>(null);
  const isOver = load.endedMs !== null;
  const opens = (next: LoadTask) => ({ onPointerEnter: dialogs.preload, onClick: () => setTask(next) });
  return (
    <>
      {isOver ? null : (
        <>
          <IconButton Icon={IconTruck} {...opens('truck')}>
            <span className={styles.long}>Change truck</span>
            <span className={styles.short}>Truck</span>
          </IconButton>
          {load.stops.some(({ kind }) => kind === 'pickup') ? (
            <IconButton Icon={IconQrcode} {...opens('code')}>
              Pickup code
            </IconButton>
          ) : null}
          <IconButton Icon={IconSquareCheck} {...opens('end')}>
            End
          </IconButton>
        </>
      )}
      <IconButton Icon={IconPencil} {...opens('change')}>
        Change
      </IconButton>
      <IconButton Icon={IconTrash} {...opens('remove')}>
        Remove
      </IconButton>
      {task === null ? null : (
        <Suspense>
          <dialogs.Part
            task={task}
            load={load}
            onRemoved={() => router.push(`/fleets/${usdot}/loads`)}
            onClose={() => setTask(null)}
          />
        </Suspense>
      )}
    </>
  );
};

interface ContentProps {
  load: LoadInFull;
  events: readonly LoadHistory[];
  tiles: MapTiles | null;
}

const Content = ({ load, events, tiles }: ContentProps) => {
  const nowMs = useMinuteMs();
  return (
    <div className={styles.content}>
      <StopsAxis load={load} nowMs={nowMs} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <h2 className="visually-hidden">About the load</h2>
          <SharesOfLoad id={load.id} />
          {load.note === '' ? null : (
            <Section head="Note">
              <p className={styles.note}>{load.note}</p>
            </Section>
          )}
          <Section head="Trucks">
            <Trucks load={load} nowMs={nowMs} />
          </Section>
          <Section head="History">
            <History load={load} events={events} nowMs={nowMs} />
          </Section>
        </div>
        <Suspense>
          <loadMap.Part load={load} tiles={tiles} />
        </Suspense>
      </div>
    </div>
  );
};

const Trucks = ({ load, nowMs }: { load: Load; nowMs: number }) => {
  const usdot = useUsdot();
  const nameOf = useTruckName();
  const contactOf = useContactOf(usdot);
  if (load.trucks.length === 0) return <p className="lh-dim">No truck has had it.</p>;
  return (
    <ul className={`lh-list ${styles.lines}`}>
      {load.trucks.toReversed().map(({ unit, fromMs, toMs, madeBy }) => (
        <li key={fromMs}>
          <Link className="lh-link" href={`/fleets/${usdot}/units/${encodeURIComponent(unit)}`}>
            <b>{nameOf(unit)}</b>
          </Link>{' '}
          from {formatMoment(fromMs, nowMs)}
          {toMs === null ? '' : ` to ${formatMoment(toMs, nowMs)}`}
          <span className="lh-note"> · by {madeBy}</span>
          {/* Whom to call is of now. */}
          {toMs === null && load.endedMs === null ? <ContactLine contact={contactOf(unit)} /> : null}
        </li>
      ))}
    </ul>
  );
};

const History = ({ load, events, nowMs }: Omit<ContentProps, 'tiles'> & { nowMs: number }) => {
  const nameOf = useTruckName();
  return (
    <ol className={`lh-list ${styles.lines}`} reversed aria-label="What happened">
      {events.map((event) => {
        const { kind, position, unit, atMs, actor } = event;
        return (
          <li key={[kind, position, unit, atMs].join()}>
            <b>{eventText(event, load, nameOf)}</b> {eventTimeText(event, load, nowMs)}
            <span className="lh-note">
              {kind === 'checked'
                ? ' · by its pickup code'
                : actor !== null
                  ? ` · by hand, ${actor}`
                  : kind === 'passed'
                    ? null
                    : unit === ''
                      ? ' · seen by its fixes'
                      : ` · seen by fixes of truck ${nameOf(unit)}`}
            </span>
          </li>
        );
      })}
      <li>
        <b>Added</b> {formatMoment(load.madeMs, nowMs)}
        <span className="lh-note"> · by hand, {load.madeBy}</span>
      </li>
    </ol>
  );
};
