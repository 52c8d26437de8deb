import { TextInput, Textarea } from '@mantine/core';
import type { FormFields } from '../ui/api-form';
import type { ContactField } from '@/lib/table-files/contact-columns';
import { CONTACT_FIELDS, LONGEST_NAME, LONGEST_TEXT } from '@/lib/contacts/contact';
import { CONTACT_LABELS } from '@/lib/contacts/text';
import { formatPhone } from '@/lib/identity/phone';
import styles from './fields.module.css';

export type ContactValues = Record<ContactField, string>;

/** The parts of a contact as their fields show them; null: none is known. */
export const toContactValues = (contact: Readonly<ContactValues> | null): ContactValues =>
  Object.fromEntries(
    CONTACT_FIELDS.map((field) => [
      field,
      field.endsWith('Phone') ? formatPhone(contact?.[field] ?? '') : (contact?.[field] ?? ''),
    ]),
  ) as ContactValues;

const PEOPLE = ['driver', 'secondDriver', 'dispatcher'] as const;

interface ContactFieldsProps {
  field: FormFields['field'];
  /** The path of the contact in the form, with a dot at its end; empty: the form is the contact. */
  path?: string;
  hasFocus?: boolean;
}

/** The fields for the people to call about a truck. */
export const ContactFields = ({ field, path = '', hasFocus = false }: ContactFieldsProps) => (
  <>
    {PEOPLE.map((person) => (
      <div key={person} className={styles.pair}>
        <TextInput
          label={CONTACT_LABELS[person]}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          data-autofocus={hasFocus && person === 'driver' ? true : undefined}
          {...field(path + person)}
        />
        <TextInput
          type="tel"
          label={CONTACT_LABELS[`${person}Phone`]}
          placeholder="(512) 555-0123"
          autoComplete="off"
          {...field(`${path}${person}Phone`)}
        />
      </div>
    ))}
    <Textarea
      label={CONTACT_LABELS.text}
      description="What to know before calling. All who see this truck can read it."
      placeholder="Sleeps until 2 PM"
      autosize
      minRows={1}
      maxRows={4}
      maxLength={LONGEST_TEXT}
      {...field(`${path}text`)}
    />
  </>
);
