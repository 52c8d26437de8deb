import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import type { FormFields } from '@/components/ui/api-form';
import {
  LANGUAGE_LABELS,
  MAIL_LANGUAGES,
  MAIL_SUBJECTS,
  type LoadMails,
  type MailSubject,
} from '@/lib/loads/mails';
import { useLoadMails } from '@/lib/loads/mail-queries';
import styles from './load-form.module.css';
import type { MailValues } from './load-values';

const SUBJECT_LABELS: Readonly<Record<MailSubject, string>> = {
  pickup: 'Picked up',
  delivery: 'Delivered',
  late: 'Will be late',
  freeTime: 'Free time ends in 30 min',
};

/** What an address gets without a choice: the end of free time is announced only if that is wished. */
const USUAL = MAIL_SUBJECTS.filter((each) => each !== 'freeTime');

const toValues = ({ addresses, about, language }: LoadMails): MailValues => ({
  ...{ addresses: addresses.join(', '), language },
  about: addresses.length === 0 && about.length === 0 ? USUAL : about,
});

interface CustomerMailsProps {
  /** 0: a new load. */
  loadId: number;
  /** Null: nothing was changed. */
  value: MailValues | null;
  field: FormFields['field'];
}

const noteText = ({ canMail, ended }: LoadMails): string => {
  if (!canMail) return 'This server sends no mails: it needs a mail server and a public address.';
  if (ended.length > 0) return `Wants no more mails about this load: ${ended.join(', ')}`;
  return 'With the times and no position. A link to the load is in them if one is open.';
};

/** Whom mails about a load go to, and what they are about. */
const CustomerMails = ({ loadId, value, field }: CustomerMailsProps) => {
  const { data, isError } = useLoadMails(useUsdot(), loadId);
  if (isError) return <p className="lh-note">Mails to the customer could not be loaded.</p>;
  if (data === undefined) return <p className="lh-note">Loading the mails to the customer…</p>;
  const shown = value ?? toValues(data);
  const set = (changed: Partial<MailValues>): void => field('mails').onChange({ ...shown, ...changed });
  const { error, 'aria-invalid': isInvalid } = field('mails.addresses');
  return (
    <fieldset className={styles.stop}>
      <legend className="visually-hidden">Mails to the customer</legend>
      <div className={styles.two}>
        <TextInput
          label="Mails to the customer"
          description={noteText(data)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="dock@customer.com, buyer@customer.com"
          type="text"
          inputMode="email"
          autoComplete="off"
          maxLength={3000}
          data-path="mails.addresses"
          name="mails.addresses"
          error={error}
          aria-invalid={isInvalid}
          disabled={!data.canMail}
          value={shown.addresses}
          onChange={({ currentTarget }) => set({ addresses: currentTarget.value })}
        />
        {data.canMail ? (
          <div className={styles.mails}>
            {MAIL_SUBJECTS.map((subject) => (
              <Checkbox
                key={subject}
                label={SUBJECT_LABELS[subject]}
                checked={shown.about.includes(subject)}
                onChange={({ currentTarget: { checked } }) =>
                  set({
                    about: MAIL_SUBJECTS.filter((each) =>
                      each === subject ? checked : shown.about.includes(each),
                    ),
                  })
                }
              />
            ))}
            <NativeSelect
              aria-label="Language of the mails"
              data={MAIL_LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_LABELS[language] }))}
              value={shown.language}
              onChange={({ currentTarget }) =>
                set({ language: MAIL_LANGUAGES.find((each) => each === currentTarget.value) ?? 'en' })
              }
            />
          </div>
        ) : null}
      </div>
    </fieldset>
  );
};

export default CustomerMails;
