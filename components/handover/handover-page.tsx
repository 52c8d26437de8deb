'use client';

import { Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconMail, IconPrinter } from '@tabler/icons-react';
import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { Notices } from '@/components/fleet-shell/notices';
import { useViewer } from '@/components/layout/viewer-context';
import { useAnnounce } from '@/components/ui/announcer';
import { isEnter } from '@/components/ui/shortcuts';
import { NearLink } from '@/components/ui/near-link';
import { useRecordedPlaces } from '@/components/fleet-state/recorded-places';
import { markHandover, useHandover } from '@/lib/handover/queries';
import type { Handover } from '@/lib/handover/schema';
import {
  NOT_COMPARED,
  toHandoverSections,
  toLineLink,
  type HandoverLine,
  type HandoverSection,
} from '@/lib/handover/text';
import { formatDayAndTime, formatMinute, formatMoment } from '@/lib/view/format';
import { MailDialog } from './mail-dialog';
import styles from './handover-page.module.css';
import { HOUR_MS } from '@/lib/base/time';

const TAKEN = 'Your next handover begins here';
/** When the day shift begins. */
const SHIFT_HOUR = 6;

/** The newest six in the morning that is at least an hour ago, by the browser's clock. */
const toShiftStartMs = (nowMs: number): number => {
  const start = new Date(nowMs);
  start.setHours(SHIFT_HOUR, 0, 0, 0);
  if (nowMs - start.getTime() < HOUR_MS) start.setDate(start.getDate() - 1);
  return start.getTime();
};

/** "2026-11-24T06:00", as a field for a moment has it. */
const toFieldText = (ms: number): string => {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
};

/** The moment in the address, Unix ms; null where it has none. */
const useSinceMs = (): number | null => {
  const atMs = Date.parse(useSearchParams().get('since') ?? '');
  return Number.isNaN(atMs) ? null : atMs;
};

const choose = (ms: number): void =>
  window.history.pushState(null, '', `?since=${new Date(ms).toISOString()}`);

/** What changed in the fleet since a moment, for the next shift. */
export const HandoverPage = ({ isRecorded }: { isRecorded: boolean }) => {
  // The moment is of the browser's time zone, which the server does not know.
  const isMounted = useMounted();
  return (
    <div className={styles.page}>
      <div className={styles.notices}>
        <Notices />
      </div>
      {isRecorded ? (
        isMounted ? (
          <Since />
        ) : (
          <h1 className={styles.title}>What changed</h1>
        )
      ) : (
        <div className={styles.message} role="status">
          <b>Recording is off.</b>
          <p>This server does not record its fleets, so it cannot compare now with before.</p>
        </div>
      )}
    </div>
  );
};

/** Waits for the server's clock, or for the failure without which it would be known. */
const Since = () => {
  const { skewMs, receivedAtMs, failure } = useReading();
  return receivedAtMs === null && failure === null ? (
    <h1 className={styles.title}>What changed</h1>
  ) : (
    <Compared skewMs={skewMs} />
  );
};

const Compared = ({ skewMs }: { skewMs: number }) => {
  const [openedMs] = useState(() => Date.now() + skewMs);
  const sinceMs = useSinceMs() ?? toShiftStartMs(openedMs);
  const usdot = useUsdot();
  const { data, error, isFetching, refetch } = useHandover(usdot, sinceMs);
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.title}>What changed since {formatMoment(sinceMs, openedMs)}</h1>
        <Moments key={sinceMs} sinceMs={sinceMs} openedMs={openedMs} visitedMs={data?.visitedMs ?? null} />
        <Actions />
      </header>
      {data !== undefined ? (
        <Answer key={data.toMs} handover={data} />
      ) : error !== null ? (
        <div className={styles.message} role="alert">
          <b>There is no answer.</b>
          <p>{error.message}</p>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <p className={styles.message} role="status">
          Comparing the fleet…
        </p>
      )}
    </>
  );
};

const Actions = () => {
  const { kind } = useViewer();
  const [isMailOpen, setMailOpen] = useState(false);
  return (
    <div className={styles.actions}>
      {/* The demo has no users, and so no addresses. */}
      {kind === 'user' ? (
        <Button
          variant="default"
          leftSection={<IconMail size={17} stroke={1.8} aria-hidden="true" />}
          onClick={() => setMailOpen(true)}
        >
          Mail me this
        </Button>
      ) : null}
      <Button
        className={styles.print}
        variant="default"
        leftSection={<IconPrinter size={17} stroke={1.8} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      {isMailOpen ? <MailDialog onClose={() => setMailOpen(false)} /> : null}
    </div>
  );
};

interface MomentsProps {
  sinceMs: number;
  openedMs: number;
  visitedMs: number | null;
}

/** The moment to compare with: the beginning of the shift, the reader's last visit, or another one. */
const Moments = ({ sinceMs, openedMs, visitedMs }: MomentsProps) => {
  const shiftStartMs = toShiftStartMs(openedMs);
  const choices: [label: string, ms: number][] = [
    [formatMinute(shiftStartMs), shiftStartMs],
    ...(visitedMs === null ? [] : [['My last visit', visitedMs] satisfies [string, number]]),
    ['12 hours ago', openedMs - 12 * HOUR_MS],
    ['24 hours ago', openedMs - 24 * HOUR_MS],
  ];
  const take = (text: string): void => {
    const ms = Date.parse(text);
    if (!Number.isNaN(ms) && ms < openedMs && toFieldText(ms) !== toFieldText(sinceMs)) choose(ms);
  };
  return (
    <div className={styles.moments} role="group" aria-label="Since">
      {choices.map(([label, ms]) => (
        <button
          key={label}
          type="button"
          aria-pressed={Math.abs(ms - sinceMs) < 60_000}
          onClick={() => choose(ms)}
        >
          {label}
        </button>
      ))}
      <label>
        <span className="visually-hidden">Another moment</span>
        <input
          type="datetime-local"
          max={toFieldText(openedMs)}
          defaultValue={toFieldText(sinceMs)}
          onBlur={({ target }) => take(target.value)}
          onKeyDown={(event) => {
            if (isEnter(event)) take(event.currentTarget.value);
          }}
        />
      </label>
    </div>
  );
};

const Answer = ({ handover }: { handover: Handover }) => {
  const usdot = useUsdot();
  const place = useRecordedPlaces();
  const [isTaken, setTaken] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { fromMs, toMs, isCompared } = handover;
  const sections = toHandoverSections(handover, {
    moment: (ms) => formatMoment(ms, toMs),
    place: (at) => place?.(at) ?? '',
  });
  const listed = sections.filter(({ lines }) => lines.length > 0);
  const announce = useAnnounce();
  const sayWhatChanged = useEffectEvent(() =>
    announce(listed.map(({ title, lines }) => `${title} ${lines.length}`).join(', ') || 'Nothing changed'),
  );
  useEffect(() => sayWhatChanged(), []);
  const take = (): void => {
    markHandover(usdot, toMs).then(
      () => {
        setTaken(true);
        announce(TAKEN);
      },
      (error: Error) => setProblem(error.message),
    );
  };
  return (
    <div className={styles.answer} tabIndex={0} role="region" aria-label="What changed">
      <p className={styles.range}>
        {formatDayAndTime(fromMs, toMs)} to {formatDayAndTime(toMs, toMs)}
        {isCompared ? '' : `. ${NOT_COMPARED}`}
      </p>
      {listed.map((section) => (
        <Section key={section.title} section={section} />
      ))}
      <p className={styles.nothing}>
        {sections
          .filter(({ lines }) => lines.length === 0)
          .map(({ none }) => none)
          .join(' ')}
      </p>
      <p className={styles.taken}>
        <Button variant="light" disabled={isTaken} onClick={take}>
          {isTaken ? TAKEN : 'I have read this'}
        </Button>
        {problem === null ? null : <span role="alert">{problem}</span>}
      </p>
    </div>
  );
};

const Section = ({ section: { title, lines } }: { section: HandoverSection }) => (
  <section className={styles.section}>
    <h2>
      {title} <span>{lines.length}</span>
    </h2>
    <ul>
      {lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </ul>
  </section>
);

/** A line, whose name leads to the moment on the map. */
const Line = ({ line }: { line: HandoverLine }) => {
  const { name, path } = toLineLink(useUsdot(), line);
  const textId = useId();
  return (
    <li>
      <NearLink href={path} aria-describedby={textId}>
        {name}
      </NearLink>
      <span id={textId}>{line.text}</span>
    </li>
  );
};
