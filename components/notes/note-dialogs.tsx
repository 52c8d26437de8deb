import { TextInput, Textarea } from '@mantine/core';
import { FormDialog } from '@/components/kit/dialog';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { useClockMs } from '@/components/ui/use-now';
import { dayOf, dayRange, isDay } from '@/lib/trips/days';
import { useNoteChanges } from '@/lib/notes/changes';
import { LONGEST_NOTE } from '@/lib/notes/schema';
import type { UnitNote } from '@/lib/view/marks';

export type NoteTask = { kind: 'add' } | { kind: 'remove'; note: UnitNote };

interface NoteDialogProps {
  task: NoteTask;
  unitKey: string;
  title: string;
  onClose: () => void;
}

const readZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The end of a day of the viewer's clock, Unix ms; null for none. */
const toExpiryMs = (day: string): number | null => (isDay(day) ? dayRange(day, readZone()).toMs : null);

export const NoteDialog = ({ task, ...others }: NoteDialogProps) =>
  task.kind === 'add' ? <AddNote {...others} /> : <RemoveNote note={task.note} onClose={others.onClose} />;

const AddNote = ({ unitKey, title, onClose }: Omit<NoteDialogProps, 'task'>) => {
  const { add } = useNoteChanges(useUsdot());
  const announce = useAnnounce();
  const { skewMs } = useReading();
  const today = dayOf(useClockMs() + skewMs, readZone());
  return (
    <FormDialog
      title={`Note on ${title}`}
      action="Add the note"
      initialValues={{ text: '', expiresMs: '' }}
      toInput={({ text, expiresMs }) => ({ unit: unitKey, text, expiresMs: toExpiryMs(expiresMs) })}
      send={async (note) => {
        await add.mutateAsync(note);
        announce('Note added');
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <Textarea
            label="Note"
            description="All who see this fleet can read it."
            placeholder="Brakes, at shop until Friday"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={LONGEST_NOTE}
            data-autofocus
            {...field('text')}
          />
          <TextInput
            type="date"
            label="Last day"
            description="Optional: the note disappears at the end of this day."
            min={today}
            {...field('expiresMs')}
          />
        </>
      )}
    </FormDialog>
  );
};

const RemoveNote = ({ note, onClose }: { note: UnitNote; onClose: () => void }) => {
  const { remove } = useNoteChanges(useUsdot());
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Remove this note?"
      action="Remove"
      isDangerous
      send={async () => {
        await remove.mutateAsync(note.id);
        announce('Note removed');
      }}
      onClose={onClose}
    >
      <p>“{note.text}”</p>
    </FormDialog>
  );
};
