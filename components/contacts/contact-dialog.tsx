import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ContactFields, toContactValues } from '@/components/kit/contact-fields';
import { FormDialog } from '@/components/kit/dialog';
import { useAnnounce } from '@/components/ui/announcer';
import { contactInputSchema } from '@/lib/contacts/contact';
import { useChangeContact } from '@/lib/contacts/changes';
import type { UnitContact } from '@/lib/view/marks';

interface ContactDialogProps {
  unitKey: string;
  title: string;
  contact: UnitContact | null;
  onClose: () => void;
}

export const ContactDialog = ({ unitKey, title, contact, onClose }: ContactDialogProps) => {
  const change = useChangeContact(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title={`Contacts of ${title}`}
      action="Save"
      initialValues={toContactValues(contact)}
      toInput={(values): UnitContact => ({ ...values, unit: contact?.unit ?? unitKey })}
      schema={contactInputSchema}
      send={async (input) => {
        await change.mutateAsync(input);
        announce('Contacts saved');
      }}
      onClose={onClose}
    >
      {({ field }) => <ContactFields field={field} hasFocus />}
    </FormDialog>
  );
};
