'use client';

import { IconButton } from '@/components/kit/page-frame';
import { Button, Group } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconMail, IconPrinter } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { ContactLine } from '@/components/contacts/contact-line';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { Notices } from '@/components/fleet-shell/notices';
import { useViewer } from '@/components/layout/viewer-context';
import { useAnnounce } from '@/components/ui/announcer';
import { Answered, FullPage, HeadActions, Message, PageHead } from '@/components/kit/full-page';
import { toLocalTime } from '@/components/ui/weekly-hours/weekly-hours';
import { toQuery, useAddress } from '@/components/ui/use-address';
import { isEnter } from '@/components/ui/shortcuts';
import { Link } from '@/components/ui/link';
import { useRecordedPlaces } from '@/components/fleet-state/recorded-places';
import { useContactOf } from '@/lib/contacts/queries';
import { markHandover, useHandover } from '@/lib/handover/queries';
import type { Handover } from '@/lib/handover/schema';
import {
  NOT_COMPARED,
  groupLines,
  toHandoverSections,
  toLineLink,
  type HandoverLine,
  type HandoverSection,
} from '@/lib/handover/text';
import { formatDayAndTime, formatMinute, formatMoment } from '@/lib/view/format';
import { MailDialog } from '@/components/scheduled-mail/mail-dialog';
import styles from './handover.module.css';
import { HOUR_MS } from '@/lib/base/time';
import type { UnitContact } from '@/lib/view/marks';

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

interface HandoverAddress {
  /** Unix ms; null: the beginning of the shift. */
  sinceMs: number | null;
}

const useHandoverAddress = () =>
  useAddress<HandoverAddress>({
    parse: (search) => {
      const atMs = Date.parse(search.get('since') ?? '');
      return { sinceMs: Number.isNaN(atMs) ? null : atMs };
    },
    toSearch: ({ sinceMs }) => toQuery({ since: sinceMs === null ? null : new Date(sinceMs).toISOString() }),
  });

export const HandoverPage = ({ isRecorded }: { isRecorded: boolean }) => {
  // The moment is of the browser's time zone, which the server does not know.
  const isMounted = useMounted();
  // And it waits for the server's clock, or for the failure without which it would be known.
  const { skewMs, receivedAtMs, failure } = useReading();
  const isReady = isRecorded && isMounted && (receivedAtMs !== null || failure !== null);
  return (
    <FullPage notices={<Notices />}>
      {isReady ? <Compared skewMs={skewMs} /> : <PageHead title="What changed" />}
      {isRecorded ? null : (
        <Message title="Recording is off.">
          <p>This server does not record its fleets, so it cannot compare now with before.</p>
        </Message>
      )}
    </FullPage>
  );
};

const Compared = ({ skewMs }: { skewMs: number }) => {
  const [openedMs] = useState(() => Date.now() + skewMs);
  const [address, show] = useHandoverAddress();
  const sinceMs = address.sinceMs ?? toShiftStartMs(openedMs);
  const query = useHandover(useUsdot(), sinceMs);
  return (
    <>
      <PageHead title={`What changed since ${formatMoment(sinceMs, openedMs)}`}>
        <Moments
          key={sinceMs}
          sinceMs={sinceMs}
          openedMs={openedMs}
          visitedMs={query.data?.visitedMs ?? null}
          onChoose={(ms) => show({ sinceMs: ms })}
        />
        <Actions />
      </PageHead>
      <Answered
        query={query}
        failure="There is no answer."
        loading={<Message title="Comparing the fleet…" />}
      >
        {(handover) => <Answer key={handover.toMs} handover={handover} />}
      </Answered>
    </>
  );
};

const Actions = () => {
  const { kind } = useViewer();
  const [isMailOpen, setMailOpen] = useState(false);
  return (
    <HeadActions>
      {/* The demo has no users, and so no addresses. */}
      {kind === 'user' ? (
        <IconButton Icon={IconMail} onClick={() => setMailOpen(true)}>
          Mail me this
        </IconButton>
      ) : null}
      <IconButton className={styles.print} Icon={IconPrinter} onClick={() => window.print()}>
        Print
      </IconButton>
      {isMailOpen ? <MailDialog onClose={() => setMailOpen(false)} /> : null}
    </HeadActions>
  );
};

interface MomentsProps {
  sinceMs: number;
  openedMs: number;
  visitedMs: number | null;
  onChoose: (ms: number) => void;
}

/** The moment to compare with: the beginning of the shift, the reader's last visit, or another one. */
const Moments = ({ sinceMs, openedMs, visitedMs, onChoose }: MomentsProps) => {
  const shiftStartMs = toShiftStartMs(openedMs);
  const choices: [label: string, ms: number][] = [
    [formatMinute(shiftStartMs), shiftStartMs],
    ...(visitedMs === null ? [] : [['My last visit', visitedMs] satisfies [string, number]]),
    ['12 hours ago', openedMs - 12 * HOUR_MS],
    ['24 hours ago', openedMs - 24 * HOUR_MS],
  ];
  const take = (text: string): void => {
    const ms = Date.parse(text);
    if (!Number.isNaN(ms) && ms < openedMs && toLocalTime(ms) !== toLocalTime(sinceMs)) onChoose(ms);
  };
  return (
    <Group gap={8} className={styles.moments} role="group" aria-label="Since">
      {choices.map(([label, ms]) => (
        <button
          key={label}
          type="button"
          className="lh-field"
          aria-pressed={Math.abs(ms - sinceMs) < 60_000}
          onClick={() => onChoose(ms)}
        >
          {label}
        </button>
      ))}
      <label>
        <span className="visually-hidden">Another moment</span>
        <input
          type="datetime-local"
          className="lh-field"
          max={toLocalTime(openedMs)}
          defaultValue={toLocalTime(sinceMs)}
          onBlur={({ target }) => take(target.value)}
          onKeyDown={(event) => {
            if (isEnter(event)) take(event.currentTarget.value);
          }}
        />
      </label>
    </Group>
  );
};

const Answer = ({ handover }: { handover: Handover }) => {
  const usdot = useUsdot();
  const place = useRecordedPlaces();
  const contactOf = useContactOf(usdot);
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
    announce(
      listed.map(({ title, lines, count }) => `${title} ${count ?? lines.length}`).join(', ') ||
        'Nothing changed',
    ),
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
    <div className={`lh-scroll ${styles.answer}`} tabIndex={0} role="region" aria-label="What changed">
      <p className="lh-dim">
        {formatDayAndTime(fromMs, toMs)} to {formatDayAndTime(toMs, toMs)}
        {isCompared ? '' : `. ${NOT_COMPARED}`}
      </p>
      {listed.map((section) => (
        <Section key={section.title} section={section} contactOf={contactOf} />
      ))}
      <p className={`lh-dim ${styles.nothing}`}>
        {sections
          .filter(({ lines }) => lines.length === 0)
          .map(({ none }) => none)
          .join(' ')}
      </p>
      <Group mt={20} gap={12}>
        <Button variant="light" disabled={isTaken} onClick={take}>
          {isTaken ? TAKEN : 'I have read this'}
        </Button>
        {problem === null ? null : <span role="alert">{problem}</span>}
      </Group>
    </div>
  );
};

interface SectionProps {
  section: HandoverSection;
  contactOf: (unit: string) => UnitContact | null;
}

const Section = ({ section: { title, lines, count, of, isToCall }, contactOf }: SectionProps) => (
  <section className={styles.section}>
    <h2>
      {title} <span>{count ?? lines.length}</span>
      {of === undefined ? null : <small>{of}</small>}
    </h2>
    {[...groupLines(lines)].map(([group, grouped]) =>
      grouped[0]!.group === undefined ? (
        <ul key={group} className={`lh-list ${styles.lines}`}>
          {grouped.map((line, index) => (
            <Line key={index} line={line} contact={isToCall ? contactOf(line.unit) : null} />
          ))}
        </ul>
      ) : (
        <div key={group} className={styles.group}>
          {group === '' ? null : <h3>{group}</h3>}
          <ul className="lh-list">
            {grouped.map((line, index) => (
              <Line key={index} line={line} contact={null} />
            ))}
          </ul>
        </div>
      ),
    )}
  </section>
);

const Line = ({ line, contact }: { line: HandoverLine; contact: UnitContact | null }) => {
  const { name, path } = toLineLink(useUsdot(), line);
  const textId = useId();
  return (
    <li>
      <Link href={path} aria-describedby={textId}>
        {name}
      </Link>
      <span id={textId}>{line.text}</span>
      <ContactLine contact={contact} most={1} />
    </li>
  );
};
