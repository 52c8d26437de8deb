import { NativeSelect } from '@mantine/core';
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
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import { useContacts } from '@/lib/contacts/queries';
import {
  CALL_OUTCOMES,
  callText,
  toCallable,
  toPeople,
  whoText,
  type CallOutcome,
  type ContactPerson,
} from '@/lib/contacts/text';
import { useNoteChanges } from '@/lib/notes/changes';
import { formatMinute } from '@/lib/view/format';
import type { UnitNote } from '@/lib/view/marks';
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
  const [calledRole, setCalledRole] = useState<ContactPerson['role'] | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const people = toPeople(contact);
  const callable = toCallable(contact);
  const called = callable.find(({ role }) => role === calledRole) ?? callable[0];
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
          <Person key={person.role} person={person} onCall={() => setCalledRole(person.role)} />
        ))}
      </ul>
      {contact === null || contact.text === '' ? null : <p className={styles.text}>{contact.text}</p>}
      {called === undefined ? null : (
        <CallNotes unitKey={identity.key} people={callable} person={called} onChoose={setCalledRole} />
      )}
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

interface CallNotesProps {
  unitKey: string;
  /** The people who can be called. */
  people: readonly ContactPerson[];
  /** The one who was called. */
  person: ContactPerson;
  onChoose: (role: ContactPerson['role']) => void;
}

/** Writes how a call of a person went as a note, which stays for a day, and takes it back. */
const useCallNote = (unitKey: string, person: ContactPerson) => {
  const { add, remove } = useNoteChanges(useUsdot());
  const { skewMs } = useReading();
  const clockMs = useClockMs();
  const announce = useAnnounce();
  const [noted, setNoted] = useState<(Pick<UnitNote, 'id'> & { role: string; atMs: number }) | null>(null);
  const note = (outcome: CallOutcome): void =>
    add.mutate(
      {
        unit: unitKey,
        text: callText(person, outcome, formatMinute(clockMs)),
        expiresMs: clockMs + skewMs + DAY_MS,
      },
      {
        onSuccess: ({ id }) => {
          setNoted({ id, role: person.role, atMs: Date.now() });
          announce('Call noted');
        },
      },
    );
  const undo = (id: number, onUndone: () => void): void =>
    remove.mutate(id, {
      onSuccess: () => {
        setNoted(null);
        announce('Note removed');
        requestAnimationFrame(onUndone);
      },
    });
  return {
    // A second click would note the same call again.
    noted: noted?.role === person.role && clockMs - noted.atMs < MINUTE_MS ? noted : null,
    note,
    undo,
    isPending: add.isPending || remove.isPending,
    error: add.error ?? remove.error,
  };
};

/** The buttons that note how a call went, and Undo where one is noted. */
const CallNotes = ({ unitKey, people, person, onChoose }: CallNotesProps) => {
  const group = useRef<HTMLDivElement>(null);
  const { noted, note, undo, isPending, error } = useCallNote(unitKey, person);
  return (
    <>
      <div ref={group} className={styles.calls} role="group" aria-label={`Note a call to ${whoText(person)}`}>
        {people.length === 1 ? (
          <span className="lh-note">Called</span>
        ) : (
          <label className={`lh-flex lh-note ${styles.called}`}>
            Called
            <NativeSelect
              size="xs"
              aria-label="Who was called"
              data={people.map((each) => ({ value: each.role, label: each.name || each.role }))}
              value={person.role}
              onChange={({ currentTarget }) => onChoose(currentTarget.value as ContactPerson['role'])}
            />
          </label>
        )}
        {CALL_OUTCOMES.map((outcome) => (
          <BareButton
            key={outcome}
            className={styles.outcome}
            disabled={isPending || noted !== null}
            onClick={() => note(outcome)}
          >
            {outcome}
          </BareButton>
        ))}
      </div>
      {noted === null ? null : (
        <p className="lh-note">
          The call is noted.{' '}
          <BareButton
            className={`lh-link ${styles.undo}`}
            disabled={isPending}
            onClick={() => undo(noted.id, () => group.current?.querySelector('button')?.focus())}
          >
            Undo
          </BareButton>
        </p>
      )}
      {error === null ? null : (
        <p className="lh-problem" role="alert">
          {error.message}
        </p>
      )}
    </>
  );
};
