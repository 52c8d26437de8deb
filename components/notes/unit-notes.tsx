import { IconNote, IconPlus, IconTrash } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useIsRendered, useNowMs } from '@/components/ui/use-now';
import { useNotes } from '@/lib/notes/queries';
import { noteAboutText } from '@/lib/notes/text';
import type { UnitNote } from '@/lib/view/marks';
import { unitTitle } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { NoteTask } from './note-dialogs';
import styles from './notes.module.css';

const dialogs = onDemand(() => import('./note-dialogs').then(({ NoteDialog }) => NoteDialog));

export const UnitNotes = ({ identity }: { identity: UnitIdentity }) => {
  const { error } = useNotes(useUsdot());
  const { notes } = useUnitMarks(identity);
  const [task, setTask] = useState<NoteTask | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setTask(null);
    // The button that opened the dialog takes the focus back, unless it left the page with its note.
    addButton.current?.focus();
  };
  return (
    <>
      {error === null ? null : <p className="lh-problem">The notes could not be loaded: {error.message}</p>}
      {notes.length === 0 ? null : (
        <ul className={`lh-list ${styles.notes}`} aria-label="Notes">
          {notes.map((note) => (
            <Note key={note.id} note={note} onRemove={() => setTask({ kind: 'remove', note })} />
          ))}
        </ul>
      )}
      <BareButton
        ref={addButton}
        className="lh-link lh-add"
        onPointerEnter={dialogs.preload}
        onClick={() => setTask({ kind: 'add' })}
      >
        <IconPlus size={15} stroke={2} aria-hidden="true" />
        Add a note
      </BareButton>
      {task === null ? null : (
        <Suspense>
          <dialogs.Part task={task} unitKey={identity.key} title={unitTitle(identity)} onClose={close} />
        </Suspense>
      )}
    </>
  );
};

const Note = ({ note, onRemove }: { note: UnitNote; onRemove: () => void }) => {
  const { skewMs } = useReading();
  const nowMs = useNowMs() + skewMs;
  const isRendered = useIsRendered();
  return (
    <li className={styles.note}>
      <IconNote size={16} stroke={1.75} aria-hidden="true" />
      <div>
        <p>{note.text}</p>
        <p className="lh-note">{isRendered ? '…' : noteAboutText(note, nowMs, skewMs)}</p>
      </div>
      <BareButton
        className={`lh-icon ${styles.remove}`}
        aria-label={`Remove the note “${note.text}”`}
        onClick={onRemove}
      >
        <IconTrash size={16} stroke={1.75} aria-hidden="true" />
      </BareButton>
    </li>
  );
};
