import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { useAnnounce } from '@/components/ui/announcer';
import type { FormFields } from '@/components/ui/api-form';
import { useCopy } from '@/components/ui/use-copy';
import { z } from '@/lib/base/zod';
import { LANGUAGE_LABELS, MAIL_LANGUAGES } from '@/lib/loads/mails';
import type { Site } from '@/lib/rules/site';
import { readCalendarUrl, useCalendarChanges } from '@/lib/shares/calendar-queries';
import { calendarChangeSchema, type CalendarChange, type SiteCalendar } from '@/lib/shares/calendars';
import {
  AT_A_TIME,
  toEndMs,
  toTimeValues,
  type ClockReading,
  type Problem,
  type TimeValues,
} from './end-time';
import { EndTimeFields } from './end-time-fields';
import { LinkActions } from './link-actions';
import styles from './shares.module.css';
import { useClockReading } from './use-share-reading';

/** A calendar as its form has it. */
interface CalendarValues extends Omit<CalendarChange, 'endsMs'>, TimeValues {}

interface TypedCalendar {
  input: CalendarChange;
  problems: Problem[];
}

const END_CHOICES = [
  { value: '', label: 'When it is revoked' },
  { value: '168', label: 'In 7 days' },
  { value: '720', label: 'In 30 days' },
  { value: '2160', label: 'In 90 days' },
  AT_A_TIME,
];

const toTyped = (
  { recipient, language, showsTruck, ...ends }: CalendarValues,
  reading: ClockReading,
): TypedCalendar => {
  const problems: Problem[] = [];
  return {
    input: { recipient: recipient.trim(), language, showsTruck, endsMs: toEndMs(ends, reading, problems) },
    problems,
  };
};

/** Checks what was read as the server does, with what could not be read. */
const typedSchema = z.custom<TypedCalendar>().superRefine(({ input, problems }, context) => {
  for (const { path, message } of [
    ...problems,
    ...(calendarChangeSchema.safeParse(input).error?.issues ?? []),
  ])
    context.addIssue({ code: 'custom', path, message });
});

const Fields = ({
  form: { values, field },
  reading,
}: {
  form: FormFields<CalendarValues>;
  reading: ClockReading;
}) => (
  <>
    <TextInput
      label="Who it is for"
      data-autofocus
      maxLength={100}
      autoComplete="off"
      {...field('recipient')}
    />
    <div className={styles.two}>
      <NativeSelect
        label="Language"
        data={MAIL_LANGUAGES.map((value) => ({ value, label: LANGUAGE_LABELS[value] }))}
        {...field('language')}
      />
      <EndTimeFields label="Ends" choices={END_CHOICES} {...{ values, field, reading }} />
    </div>
    <Checkbox label="Show truck numbers" {...field('showsTruck')} value="on" checked={values.showsTruck} />
  </>
);

/** Makes a calendar of the arrivals that are expected at a site, and copies its address. */
export const MakeCalendar = ({ site, onClose }: { site: Pick<Site, 'id' | 'name'>; onClose: () => void }) => {
  const { make } = useCalendarChanges(useUsdot());
  const reading = useClockReading();
  const { copy } = useCopy('Calendar address');
  return (
    <FormDialog
      title={`Calendar of arrivals at ${site.name}`}
      action="Make and copy"
      initialValues={
        {
          ...{ recipient: '', language: 'en', showsTruck: false },
          ...toTimeValues(null, reading),
        } as CalendarValues
      }
      toInput={(values) => toTyped(values, reading)}
      schema={typedSchema}
      send={async ({ input }: TypedCalendar) => {
        const making = make.mutateAsync({ ...input, siteId: site.id });
        return { isCopied: await copy(making), url: await making };
      }}
      once={{ title: 'Calendar made', content: (made) => <Made {...made} onClose={onClose} /> }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p>
            It has each load that comes here, with its references, arrival window and appointment. Anyone who
            has its address can read it, without an account.
          </p>
          <Fields form={form} reading={reading} />
        </>
      )}
    </FormDialog>
  );
};

interface MadeProps {
  url: string;
  isCopied: boolean;
  onClose: () => void;
}

const Made = ({ url, isCopied, onClose }: MadeProps) => {
  const { outcome, copy } = useCopy('Calendar address');
  return (
    <Stack gap={16}>
      <p>
        {isCopied ? 'Its address is copied. ' : null}Subscribe to it in a calendar program: in Google Calendar
        “From URL”, in Outlook “Subscribe from web”, in Apple Calendar “New Calendar Subscription”.
      </p>
      <div className={styles.line}>
        <TextInput
          label="Address"
          readOnly
          value={url}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button variant="default" onClick={() => void copy(url)}>
          {outcome ?? 'Copy'}
        </Button>
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
};

interface CalendarProps {
  calendar: SiteCalendar;
  onClose: () => void;
}

const ChangeCalendar = ({ calendar, onClose }: CalendarProps) => {
  const { id, recipient, language, showsTruck, endsMs } = calendar;
  const { change } = useCalendarChanges(useUsdot());
  const announce = useAnnounce();
  const reading = useClockReading();
  const [initialValues] = useState<CalendarValues>(() => ({
    ...{ recipient, language, showsTruck },
    ...toTimeValues(endsMs, reading),
  }));
  return (
    <FormDialog
      title={`Change the calendar for ${recipient}`}
      action="Save"
      initialValues={initialValues}
      toInput={(values) => toTyped(values, reading)}
      schema={typedSchema}
      send={async ({ input }: TypedCalendar) => {
        await change.mutateAsync({ id, calendar: input });
        announce('Calendar changed');
      }}
      onClose={onClose}
    >
      {(form) => <Fields form={form} reading={reading} />}
    </FormDialog>
  );
};

const RevokeCalendar = ({ calendar: { id, recipient }, onClose }: CalendarProps) => {
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

interface CalendarActionsProps {
  calendar: SiteCalendar;
  onFailure: (text: string | null) => void;
}

/** Copies the address of an open calendar again, changes the calendar, or revokes it. */
export const CalendarActions = ({ calendar, onFailure }: CalendarActionsProps) => {
  const usdot = useUsdot();
  return calendar.state !== 'open' ? null : (
    <LinkActions
      isSmall
      what="calendar"
      recipient={calendar.recipient}
      readUrl={() => readCalendarUrl(usdot, calendar.id)}
      change={(onClose) => <ChangeCalendar calendar={calendar} onClose={onClose} />}
      revoke={(onClose) => <RevokeCalendar calendar={calendar} onClose={onClose} />}
      byHand={(url, onClose) => (
        <Dialog title="Copy the address by hand" onClose={onClose}>
          <Made url={url} isCopied={false} onClose={onClose} />
        </Dialog>
      )}
      onFailure={onFailure}
    />
  );
};
