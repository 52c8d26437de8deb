import { Button, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { isWaiting } from '@/components/alert-bell/text';
import { FormDialog } from '@/components/kit/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { acknowledgeSchema } from '@/lib/alerts/schema';
import { formatCount } from '@/lib/view/format';
import styles from '../alerts.module.css';
import type { Selection } from './use-selection';

/** What can be done with the chosen alerts; while none is chosen, what was done last. */
export const SelectionBar = ({ selection }: { selection: Selection }) => {
  const [task, setTask] = useState<'note' | 'close' | null>(null);
  const { selected, isPending, error } = selection;
  if (selected.length === 0 && task === null) return <Done selection={selection} />;
  const isOpen = selected.some(({ closedMs }) => closedMs === null);
  return (
    <div className={styles.selection} role="group" aria-label="Selected alerts">
      <p role="status">{selected.length} selected</p>
      {error === null || task !== null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      <Button
        leftSection={<IconCheck size={17} aria-hidden="true" />}
        loading={isPending && task === null}
        disabled={!selected.some(isWaiting)}
        onClick={() => selection.acknowledge()}
      >
        Acknowledge
      </Button>
      <Button variant="default" onClick={() => setTask('note')}>
        Add a note
      </Button>
      <Button variant="default" disabled={!isOpen} onClick={() => setTask('close')}>
        Close
      </Button>
      <Button variant="subtle" onClick={selection.clear}>
        Cancel
      </Button>
      {task === null ? null : <TaskDialog task={task} selection={selection} onClose={() => setTask(null)} />}
    </div>
  );
};

const Done = ({ selection: { done, error, undo, clear } }: { selection: Selection }) =>
  done === null ? null : (
    <div className={styles.selection} role="group" aria-label="Done">
      <p>{done.text}</p>
      {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      {done.taken.length === 0 ? null : (
        <Button variant="default" onClick={undo}>
          Undo
        </Button>
      )}
      <Button variant="subtle" onClick={clear}>
        Hide
      </Button>
    </div>
  );

interface TaskDialogProps {
  task: 'note' | 'close';
  selection: Selection;
  onClose: () => void;
}

const TaskDialog = ({ task, selection: { selected, note, close }, onClose }: TaskDialogProps) => {
  const [count] = useState(() => formatCount(selected.length, 'alert'));
  const isClose = task === 'close';
  return (
    <FormDialog
      title={isClose ? `Close ${count}` : `Add a note to ${count}`}
      action={isClose ? 'Close' : 'Add the note'}
      initialValues={{ note: '' }}
      schema={isClose ? acknowledgeSchema : writtenSchema}
      send={({ note: text }) => (isClose ? close(text) : note(text))}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {isClose ? (
            <p>
              They leave the open list. The same case opens no other alert until it has ended: a truck that is
              silent has to report first.
            </p>
          ) : null}
          <Textarea
            label="Note"
            description={isClose ? 'For your colleagues. You can leave it empty.' : 'For your colleagues.'}
            rows={2}
            data-autofocus
            {...field('note')}
          />
        </>
      )}
    </FormDialog>
  );
};

const writtenSchema = acknowledgeSchema.refine(({ note }) => note !== '', {
  path: ['note'],
  message: 'Write a note.',
});
