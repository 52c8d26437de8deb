import { Checkbox, Input, NativeSelect, TextInput } from '@mantine/core';
import { Link } from '@/components/ui/link';
import { useViewer } from '@/components/layout/viewer-context';
import { Loaded } from '@/components/kit/page-frame';
import { Dialog } from '@/components/kit/dialog';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { chosenText } from '@/components/fleet-state/search-units';
import { useAnnounce } from '@/components/ui/announcer';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import { toMinute, toTime } from '@/components/ui/weekly-hours/weekly-hours';
import { WeekdayButtons, ZoneSelect } from '@/components/ui/weekly-hours/weekly-hours-field';
import { useMailSchedule, useSetMailSchedule } from '@/lib/handover/queries';
import { scheduledMailSchema, type MailKind, type ScheduledMailInput } from '@/lib/handover/schema';
import { MAIL_LABELS } from '@/lib/handover/text';
import { ALL_UNITS, type ChosenUnits } from '@/lib/reports/chosen';

interface Values extends ScheduledMailInput {
  isMailed: boolean;
}

/** Before the day shift of the days when most people work. */
const toFirst = (kind: MailKind): Omit<ScheduledMailInput, keyof ChosenUnits> => ({
  atMin: 6 * 60,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  // A week of reports, on Mondays.
  weekdays: kind === 'handover' ? [1, 2, 3, 4, 5] : [1],
  hours: kind === 'handover' ? 24 : 7 * 24,
});

const HOURS = [8, 12, 24, 48, 72];
const DAYS = [1, 7, 14, 31];

interface MailDialogProps {
  kind?: MailKind;
  /** The trucks that a report is about. */
  chosen?: ChosenUnits;
  onClose: () => void;
}

export const MailDialog = ({ kind = 'handover', chosen = ALL_UNITS, onClose }: MailDialogProps) => {
  const query = useMailSchedule(useUsdot(), kind);
  // One dialog for all that it shows, so that it returns the focus to its button.
  return (
    <Dialog title="Mail me this" onClose={onClose}>
      {query.error === null ? null : <ProblemNote role="alert">{query.error.message}</ProblemNote>}
      <Loaded query={query} heightPx={320}>
        {({ mail, email }) =>
          email === null ? (
            <NoMailServer />
          ) : (
            <ScheduleForm
              kind={kind}
              mail={{ ...(mail ?? toFirst(kind)), unit: chosen.unit, tag: chosen.tag }}
              scheduled={mail}
              email={email}
              onClose={onClose}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
};

/** The way on where the server cannot send any mail. */
const NoMailServer = () => (
  <p>
    This server has no mail server yet, so it sends no e-mail.{' '}
    {useViewer().role === 'manager' ? (
      <>
        It gets one by SMTP_URL at its next start (docs/configuration.md). What it was started with is under{' '}
        <Link href="/settings" prefetch={false}>
          Settings
        </Link>
        .
      </>
    ) : (
      'Ask a manager for one.'
    )}
  </p>
);

interface ScheduleFormProps {
  kind: MailKind;
  mail: ScheduledMailInput;
  /** As it is so far; null: it is not mailed. */
  scheduled: ScheduledMailInput | null;
  email: string;
  onClose: () => void;
}

const ScheduleForm = ({ kind, mail, scheduled, email, onClose }: ScheduleFormProps) => {
  const { mutateAsync } = useSetMailSchedule(useUsdot(), kind);
  const { fleet } = useReading();
  const announce = useAnnounce();
  const name = MAIL_LABELS[kind];
  const label =
    kind === 'handover' ? 'Mail me what changed in this fleet' : `Mail me “${name}” as a CSV file`;
  const textOf = (chosen: ChosenUnits): string => chosenText(fleet, chosen) ?? 'all trucks';
  const before =
    scheduled === null || textOf(scheduled) === textOf(mail) ? '' : `, so far about ${textOf(scheduled)}`;
  const about = kind === 'handover' ? '' : ` About ${textOf(mail)}${before}.`;
  return (
    <ApiForm<Values, ScheduledMailInput | null>
      action="Save"
      initialValues={{ ...mail, isMailed: true }}
      toInput={({ isMailed, ...schedule }) => (isMailed ? schedule : null)}
      schema={scheduledMailSchema.nullable()}
      send={async (schedule) => {
        await mutateAsync(schedule);
        announce(schedule === null ? `You get no mail: ${name}` : `You get it by mail: ${name}`);
        onClose();
      }}
      onCancel={onClose}
    >
      {(form) => (
        <>
          <Checkbox
            label={label}
            description={`To ${email}.${about}`}
            {...form.field('isMailed')}
            checked={form.values.isMailed}
          />
          {form.values.isMailed ? (
            <ScheduleFields form={form} kind={kind} />
          ) : scheduled !== null ? (
            <p>You get this mail no more once you save.</p>
          ) : null}
        </>
      )}
    </ApiForm>
  );
};

/** How far a mail reaches back, in hours of a handover and in days of a report. */
const toSpans = (kind: MailKind, hours: number) =>
  kind === 'handover'
    ? [...new Set([...HOURS, hours])].map((each) => ({ value: String(each), label: `${each} hours` }))
    : [...new Set([...DAYS, Math.round(hours / 24)])].map((days) => ({
        value: String(days * 24),
        label: days === 1 ? 'day' : `${days} days`,
      }));

const ScheduleFields = ({ form: { values, field }, kind }: { form: FormFields<Values>; kind: MailKind }) => {
  const atMin = field('atMin');
  const weekdays = field('weekdays');
  const hours = field('hours');
  return (
    <>
      <TextInput
        type="time"
        label="Time"
        {...atMin}
        value={toTime(values.atMin)}
        onChange={({ target }) => {
          const minute = toMinute(target.value);
          if (minute !== null) atMin.onChange(minute);
        }}
      />
      <Input.Wrapper
        label="Days"
        labelElement="div"
        data-path="weekdays"
        error={weekdays.error}
        errorProps={{ role: 'alert' }}
      >
        <WeekdayButtons value={values.weekdays} onChange={weekdays.onChange} />
      </Input.Wrapper>
      <ZoneSelect label="Time zone" {...field('timeZone')} value={values.timeZone} />
      <NativeSelect
        label={kind === 'handover' ? 'It lists what changed in the last' : 'It is about the last'}
        data={toSpans(kind, values.hours)}
        {...hours}
        value={String(values.hours)}
        onChange={({ target }) => hours.onChange(Number(target.value))}
      />
    </>
  );
};
