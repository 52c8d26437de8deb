import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { PartSection } from '@/components/kit/split';
import { useAnnounce } from '@/components/ui/announcer';
import { BareButton } from '@/components/ui/bare-button';
import { ProblemNote } from '@/components/ui/problem-note';
import { useCopy } from '@/components/ui/use-copy';
import { readCalendarUrl, useCalendarChanges, useSiteCalendars } from '@/lib/shares/calendar-queries';
import { calendarInputSchema } from '@/lib/shares/calendars';
import type { Site } from '@/lib/rules/site';
import styles from './site.module.css';

type Task =
  | { kind: 'make' }
  | { kind: 'byHand'; url: string }
  | { kind: 'revoke'; id: string; recipient: string };

/** The calendars of a site's expected arrivals, for people without an account. */
const SiteCalendars = ({ site }: { site: Site }) => {
  const usdot = useUsdot();
  const [task, setTask] = useState<Task | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { data = [] } = useSiteCalendars(usdot, site.id);
  const { copy } = useCopy('Calendar address');
  const copyAgain = async (id: string): Promise<void> => {
    setFailure(null);
    const reading = readCalendarUrl(usdot, id);
    try {
      if (!(await copy(reading))) setTask({ kind: 'byHand', url: await reading });
    } catch (cause) {
      setFailure(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return (
    <PartSection title="Calendar of arrivals">
      {data.length === 0 ? (
        <p className="lh-dim">
          A customer’s calendar program can show which loads are expected here, and when.
        </p>
      ) : (
        <ul className={`lh-list ${styles.calendars}`}>
          {data.map(({ id, recipient }) => (
            <li key={id}>
              <b>{recipient}</b>
              <BareButton
                className="lh-link"
                aria-label={`Copy the calendar for ${recipient}`}
                onClick={() => void copyAgain(id)}
              >
                Copy
              </BareButton>
              <BareButton
                className="lh-link"
                aria-label={`Revoke the calendar for ${recipient}`}
                onClick={() => setTask({ kind: 'revoke', id, recipient })}
              >
                Revoke
              </BareButton>
            </li>
          ))}
        </ul>
      )}
      <div role="alert">{failure === null ? null : <ProblemNote>{failure}</ProblemNote>}</div>
      <Button variant="default" size="xs" className={styles.make} onClick={() => setTask({ kind: 'make' })}>
        Make a calendar
      </Button>
      {task?.kind === 'make' ? <MakeCalendar site={site} onClose={() => setTask(null)} /> : null}
      {task?.kind === 'byHand' ? (
        <Dialog title={MADE} onClose={() => setTask(null)}>
          <Made url={task.url} onClose={() => setTask(null)} />
        </Dialog>
      ) : null}
      {task?.kind === 'revoke' ? <RevokeCalendar {...task} onClose={() => setTask(null)} /> : null}
    </PartSection>
  );
};

const MADE = 'Address of the calendar';

interface MakeCalendarProps {
  site: Site;
  onClose: () => void;
}

const MakeCalendar = ({ site, onClose }: MakeCalendarProps) => {
  const { make } = useCalendarChanges(useUsdot());
  return (
    <FormDialog
      title={`Calendar of arrivals at ${site.name}`}
      action="Make the calendar"
      initialValues={{ recipient: '', language: 'en', showsTruck: false }}
      toInput={(values) => ({ ...values, siteId: site.id, endsMs: null })}
      schema={calendarInputSchema}
      send={(input) => make.mutateAsync(calendarInputSchema.parse(input))}
      once={{ title: MADE, content: (url) => <Made url={url} onClose={onClose} /> }}
      onClose={onClose}
    >
      {({ values, field }) => (
        <>
          <p className="lh-note">
            It has each load that comes here, with its references, window and appointment. A person who has
            its address can read it until you revoke it.
          </p>
          <TextInput
            label="Who it is for"
            data-autofocus
            maxLength={100}
            autoComplete="off"
            {...field('recipient')}
          />
          <NativeSelect
            label="Language"
            data={[
              { value: 'en', label: 'English' },
              { value: 'es', label: 'Spanish' },
              { value: 'fr', label: 'French' },
            ]}
            {...field('language')}
          />
          <Checkbox
            label="With truck numbers"
            {...field('showsTruck')}
            value="on"
            checked={values.showsTruck}
          />
        </>
      )}
    </FormDialog>
  );
};

const Made = ({ url, onClose }: { url: string; onClose: () => void }) => {
  const { outcome, copy } = useCopy('Calendar address');
  return (
    <Stack gap={16}>
      <p>Add it to a calendar program as a calendar from the internet, such as “From URL”.</p>
      <TextInput
        label="Address"
        readOnly
        value={url}
        data-autofocus
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={() => void copy(url)}>
          {outcome ?? 'Copy'}
        </Button>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
};

interface RevokeCalendarProps {
  id: string;
  recipient: string;
  onClose: () => void;
}

const RevokeCalendar = ({ id, recipient, onClose }: RevokeCalendarProps) => {
  const { revoke } = useCalendarChanges(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title={`Revoke the calendar for ${recipient}?`}
      action="Revoke"
      isDangerous
      send={async () => {
        await revoke.mutateAsync(id);
        announce('Calendar revoked');
      }}
      onClose={onClose}
    >
      Programs that have its address get nothing from now on. This cannot be undone, but you can make a new
      one.
    </FormDialog>
  );
};

export default SiteCalendars;
