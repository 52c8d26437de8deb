import { PhoneNumber } from '@/components/ui/phone-number';
import { toCallable, whoText } from '@/lib/contacts/text';
import type { UnitContact } from '@/lib/view/marks';
import styles from './contacts.module.css';

interface ContactLineProps {
  /** Null: renders nothing. */
  contact: UnitContact | null;
  /** The most people that are named. */
  most?: number;
}

/** The people to call about a unit who have a number, in one line. */
export const ContactLine = ({ contact, most = 3 }: ContactLineProps) => {
  const people = toCallable(contact);
  if (people.length === 0) return null;
  return (
    <span className={styles.line}>
      {people.slice(0, most).map((person) => (
        <span key={person.role}>
          <span className="lh-dim">{person.role}</span> {person.name}{' '}
          <PhoneNumber phone={person.phone} who={whoText(person)} />
        </span>
      ))}
    </span>
  );
};
