import { Checkbox, Input, NativeSelect, TextInput } from '@mantine/core';
import { Loaded } from '@/components/kit/page-frame';
import { Dialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { ProblemNote } from '@/components/ui/problem-note';
import { toMinute, toTime } from '@/components/ui/weekly-hours/weekly-hours';
import { WeekdayButtons, ZoneSelect } from '@/components/ui/weekly-hours/weekly-hours-field';
import { useHandoverMail, useSetHandoverMail } from '@/lib/handover/queries';
import { handoverMailSchema, type HandoverMail } from '@/lib/handover/schema';

interface Values extends HandoverMail {
  isMailed: boolean;
}

/** Before the day shift of the days when most people work. */
const toFirst = (): HandoverMail => ({
  atMin: 6 * 60,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekdays: [1, 2, 3, 4, 5],
  hours: 24,
});

const HOURS = [8, 12, 24, 48, 72];

export const MailDialog = ({ onClose }: { onClose: () => void }) => {
  const query = useHandoverMail(useUsdot());
  // One dialog for all that it shows, so that it returns the focus to its button.
  return (
    <Dialog title="Mail me this" onClose={onClose}>
      {query.error === null ? null : <ProblemNote role="alert">{query.error.message}</ProblemNote>}
      <Loaded query={query} heightPx={320}>
        {({ mail, email }) =>
          email === null ? (
            <p>This server sends no e-mail: it has no mail server.</p>
          ) : (
            <ScheduleForm mail={mail ?? toFirst()} email={email} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
};

interface ScheduleFormProps {
  mail: HandoverMail;
  email: string;
  onClose: () => void;
}

const ScheduleForm = ({ mail, email, onClose }: ScheduleFormProps) => {
  const { mutateAsync } = useSetHandoverMail(useUsdot());
  const announce = useAnnounce();
  return (
    <ApiForm<Values, HandoverMail | null>
      action="Save"
      initialValues={{ ...mail, isMailed: true }}
      toInput={({ isMailed, ...schedule }) => (isMailed ? schedule : null)}
      schema={handoverMailSchema.nullable()}
      send={async (schedule) => {
        await mutateAsync(schedule);
        announce(schedule === null ? 'You get no handover by mail' : 'You get the handover by mail');
        onClose();
      }}
      onCancel={onClose}
    >
      {(form) => (
        <>
          <Checkbox
            label="Mail me what changed in this fleet"
            description={`To ${email}`}
            {...form.field('isMailed')}
            checked={form.values.isMailed}
          />
          {form.values.isMailed ? <ScheduleFields form={form} /> : null}
        </>
      )}
    </ApiForm>
  );
};

const ScheduleFields = ({ form: { values, field } }: { form: FormFields<Values> }) => {
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
        label="It lists what changed in the last"
        data={[...new Set([...HOURS, values.hours])].map((each) => ({
          value: String(each),
          label: `${each} hours`,
        }))}
        {...hours}
        value={String(values.hours)}
        onChange={({ target }) => hours.onChange(Number(target.value))}
      />
    </>
  );
};
