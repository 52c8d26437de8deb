import { UnitContacts } from '@/components/contacts/unit-contacts';
import type { Reason } from '@/lib/motion/status';
import { SILENT_HELP, type Explanation } from '@/lib/view/explanations';
import type { UnitRow } from '@/lib/view/unit-row';
import { Section } from './facts';

const HELP: Partial<Record<Reason, Explanation>> = SILENT_HELP;

/** Whom to call about a unit; of a silent one, what to do first. */
export const ContactSection = ({ unit: { identity, reason } }: { unit: UnitRow }) => {
  const advice = HELP[reason]?.act ?? null;
  return (
    <Section head={advice === null ? 'Contacts' : 'Silent: what to do'}>
      <UnitContacts key={identity.key} identity={identity} advice={advice} />
    </Section>
  );
};
