import { TextInput, Textarea } from '@mantine/core';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { FormDialog } from '@/components/kit/dialog';
import { useAnnounce } from '@/components/ui/announcer';
import { CONTACT_FIELDS, LONGEST_NAME, LONGEST_TEXT, contactInputSchema } from '@/lib/contacts/contact';
import { useChangeContact } from '@/lib/contacts/queries';
import { CONTACT_LABELS } from '@/lib/contacts/text';
import { formatPhone } from '@/lib/identity/phone';
import type { UnitContact } from '@/lib/view/marks';
import styles from './contacts.module.css';

interface ContactDialogProps {
  unitKey: string;
  title: string;
  contact: UnitContact | null;
  onClose: () => void;
}

/** The parts of a contact as their fields show them. */
const toValues = (contact: UnitContact | null) =>
  Object.fromEntries(
    CONTACT_FIELDS.map((field) => [
      field,
      field.endsWith('Phone') ? formatPhone(contact?.[field] ?? '') : (contact?.[field] ?? ''),
    ]),
  ) as Omit<UnitContact, 'unit'>;

const PEOPLE = ['driver', 'secondDriver', 'dispatcher'] as const;

export const ContactDialog = ({ unitKey, title, contact, onClose }: ContactDialogProps) => {
  const change = useChangeContact(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title={`Contacts of ${title}`}
      action="Save"
      initialValues={toValues(contact)}
      toInput={(values): UnitContact => ({ ...values, unit: contact?.unit ?? unitKey })}
      schema={contactInputSchema}
      send={async (input) => {
        await change.mutateAsync(input);
        announce('Contacts saved');
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {PEOPLE.map((person) => (
            <div key={person} className={styles.fields}>
              <TextInput
                label={CONTACT_LABELS[person]}
                autoComplete="off"
                maxLength={LONGEST_NAME}
                data-autofocus={person === 'driver' ? true : undefined}
                {...field(person)}
              />
              <TextInput
                type="tel"
                label={CONTACT_LABELS[`${person}Phone`]}
                placeholder="(512) 555-0123"
                autoComplete="off"
                {...field(`${person}Phone`)}
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
            {...field('text')}
          />
        </>
      )}
    </FormDialog>
  );
};
