import { formatPhone } from '@/lib/identity/phone';
import type { UnitContact } from '@/lib/view/marks';
import type { ContactField } from '@/lib/table-files/contact-columns';

/** The labels of a contact's parts, in forms and in files. */
export const CONTACT_LABELS: Record<ContactField, string> = {
  driver: 'Driver',
  driverPhone: 'Driver’s phone',
  secondDriver: 'Second driver',
  secondDriverPhone: 'Second driver’s phone',
  dispatcher: 'Dispatcher',
  dispatcherPhone: 'Dispatcher’s phone',
  text: 'Good to know',
};

/** A person to call; an empty name or number: not given. */
export interface ContactPerson {
  role: 'Driver' | 'Second driver' | 'Dispatcher';
  name: string;
  phone: string;
}

/** The people of a contact in the order in which they are called. */
export const toPeople = (contact: UnitContact | null): ContactPerson[] => {
  if (contact === null) return [];
  const { driver, driverPhone, secondDriver, secondDriverPhone, dispatcher, dispatcherPhone } = contact;
  const people: ContactPerson[] = [
    { role: 'Driver', name: driver, phone: driverPhone },
    { role: 'Second driver', name: secondDriver, phone: secondDriverPhone },
    { role: 'Dispatcher', name: dispatcher, phone: dispatcherPhone },
  ];
  return people.filter(({ name, phone }) => name !== '' || phone !== '');
};

/** The people of a contact who have a number, in the order in which they are called. */
export const toCallable = (contact: UnitContact | null): ContactPerson[] =>
  toPeople(contact).filter(({ phone }) => phone !== '');

/** A person by name, or else by role: "Ann Lee", "the driver". */
export const whoText = ({ role, name }: ContactPerson): string => name || `the ${role.toLowerCase()}`;

/** A contact in one line: "Driver: Ann Lee (512) 555-0123 · Dispatcher: (512) 555-0199"; empty without one. */
export const contactText = (contact: UnitContact | null): string =>
  [
    ...toPeople(contact).map(
      ({ role, name, phone }) => `${role}: ${[name, phone && formatPhone(phone)].filter(Boolean).join(' ')}`,
    ),
    contact?.text,
  ]
    .filter(Boolean)
    .join(' · ');

/** A contact as cells of a file, in the order of its columns. */
export const toContactCells = (contact: UnitContact | null): string[] =>
  (Object.keys(CONTACT_LABELS) as ContactField[]).map((field) => {
    const value = contact?.[field] ?? '';
    return field.endsWith('Phone') ? formatPhone(value) : value;
  });

export const CALL_OUTCOMES = ['No answer', 'Left message', 'Spoke'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** A call as a note, which a list cuts at its end: "Called 2:14 PM, left message: Ann Lee". */
export const callText = (person: ContactPerson, outcome: CallOutcome, time: string): string =>
  `Called ${time}, ${outcome.toLowerCase()}: ${whoText(person)}`;
