import { IconPencil, IconPlus } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { useAnnounce } from '@/components/ui/announcer';
import { BareButton } from '@/components/ui/bare-button';
import { PhoneNumber } from '@/components/ui/phone-number';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useShortcuts } from '@/components/ui/shortcuts';
import { useClockMs } from '@/components/ui/use-now';
import { DAY_MS } from '@/lib/base/time';
import { useContacts } from '@/lib/contacts/queries';
import {
  CALL_OUTCOMES,
  callText,
  toFirstCall,
  toPeople,
  whoText,
  type CallOutcome,
  type ContactPerson,
} from '@/lib/contacts/text';
import { useNoteChanges } from '@/lib/notes/changes';
import { formatMinute } from '@/lib/view/format';
import { unitTitle } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import styles from './contacts.module.css';

const dialogs = onDemand(() => import('./contact-dialog').then(({ ContactDialog }) => ContactDialog));

interface UnitContactsProps {
  identity: UnitIdentity;
  /** What to do about the unit before a call; null: nothing is wrong with it. */
  advice: string | null;
}

/** Whom to call about a unit, with buttons that note how a call went. */
export const UnitContacts = ({ identity, advice }: UnitContactsProps) => {
  const { error } = useContacts(useUsdot());
  const { contact } = useUnitMarks(identity);
  const [isEditing, setEditing] = useState(false);
  const [called, setCalled] = useState<ContactPerson | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const people = toPeople(contact);
  const first = toFirstCall(contact);
  useShortcuts({
    c: () => {
      const button = list.current?.querySelector('button');
      if (button == null) return setEditing(true);
      button.focus();
      button.click();
    },
  });
  const close = (): void => {
    setEditing(false);
    // The link that opened the dialog is another one once there are contacts.
    editButton.current?.focus();
  };
  const EditIcon = contact === null ? IconPlus : IconPencil;
  return (
    <>
      {advice === null ? null : <p className={styles.advice}>{advice}</p>}
      {error === null ? null : (
        <p className="lh-problem">The contacts could not be loaded: {error.message}</p>
      )}
      <ul ref={list} className={`lh-list ${styles.people}`} aria-label="Whom to call">
        {people.map((person) => (
          <Person key={person.role} person={person} onCall={() => setCalled(person)} />
        ))}
      </ul>
      {contact === null || contact.text === '' ? null : <p className={styles.text}>{contact.text}</p>}
      {first === null ? null : <CallNotes unitKey={identity.key} person={called ?? first} />}
      <BareButton
        ref={editButton}
        className="lh-link lh-add"
        onPointerEnter={dialogs.preload}
        onClick={() => setEditing(true)}
      >
        <EditIcon size={15} stroke={2} aria-hidden="true" />
        {contact === null ? 'Add contacts' : 'Change contacts'}
      </BareButton>
      {isEditing ? (
        <Suspense>
          <dialogs.Part
            unitKey={identity.key}
            title={unitTitle(identity)}
            contact={contact}
            onClose={close}
          />
        </Suspense>
      ) : null}
    </>
  );
};

const Person = ({ person, onCall }: { person: ContactPerson; onCall: () => void }) => {
  const { role, name, phone } = person;
  return (
    <li className={styles.person}>
      <span className="lh-dim">{role}</span>
      <span>
        {name === '' ? null : <span className={styles.name}>{name}</span>}
        {phone === '' ? null : <PhoneNumber phone={phone} who={whoText(person)} onCall={onCall} />}
      </span>
    </li>
  );
};

/** Writes how a call went as a note, which stays for a day. */
const CallNotes = ({ unitKey, person }: { unitKey: string; person: ContactPerson }) => {
  const { add } = useNoteChanges(useUsdot());
  const { skewMs } = useReading();
  const nowMs = useClockMs() + skewMs;
  const announce = useAnnounce();
  const note = (outcome: CallOutcome): void =>
    add.mutate(
      {
        unit: unitKey,
        text: callText(person, outcome, formatMinute(nowMs - skewMs)),
        expiresMs: nowMs + DAY_MS,
      },
      { onSuccess: () => announce('Call noted') },
    );
  return (
    <>
      <div className={styles.calls} role="group" aria-label={`Note a call to ${whoText(person)}`}>
        <span className="lh-note">Called:</span>
        {CALL_OUTCOMES.map((outcome) => (
          <BareButton
            key={outcome}
            className={styles.outcome}
            disabled={add.isPending}
            onClick={() => note(outcome)}
          >
            {outcome}
          </BareButton>
        ))}
      </div>
      {add.error === null ? null : (
        <p className="lh-problem" role="alert">
          {add.error.message}
        </p>
      )}
    </>
  );
};
