import { Button } from '@mantine/core';
import { useState } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { PartSection } from '@/components/kit/split';
import { CalendarActions, MakeCalendar } from '@/components/shares/calendar-dialogs';
import { ProblemNote } from '@/components/ui/problem-note';
import { useCalendars } from '@/lib/shares/calendar-queries';
import { calendarStateTexts, openedText } from '@/lib/shares/text';
import type { Site } from '@/lib/rules/site';
import styles from './site.module.css';

/** The open calendars of a site's expected arrivals, for people without an account. */
const SiteCalendars = ({ site }: { site: Site }) => {
  const query = useCalendars(useUsdot());
  const nowMs = useServerNowMs();
  const [isMaking, setMaking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const open = (query.data ?? []).filter(({ siteId, state }) => siteId === site.id && state === 'open');
  return (
    <PartSection title="Calendar of arrivals">
      {query.isError ? (
        <ProblemNote role="alert">The calendars could not be loaded.</ProblemNote>
      ) : open.length === 0 ? (
        <p className="lh-dim">
          A customer’s calendar program can show which loads are expected here, and when.
        </p>
      ) : (
        <ul className={`lh-list ${styles.calendars}`}>
          {open.map((calendar) => (
            <li key={calendar.id}>
              <p>
                <b>{calendar.recipient}</b> {calendarStateTexts(calendar, nowMs)[1]}
                <span className="lh-note"> · {openedText(calendar, nowMs)}</span>
              </p>
              <div className={styles.calendarActions}>
                <CalendarActions calendar={calendar} onFailure={setFailure} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {failure === null ? null : <ProblemNote role="alert">{failure}</ProblemNote>}
      <Button variant="default" size="xs" className={styles.make} onClick={() => setMaking(true)}>
        Make a calendar
      </Button>
      {isMaking ? <MakeCalendar site={site} onClose={() => setMaking(false)} /> : null}
    </PartSection>
  );
};

export default SiteCalendars;
