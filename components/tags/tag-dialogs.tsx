import { NativeSelect, TextInput } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { Dialog, FormDialog } from '@/components/kit/dialog';
import { Item, ItemList } from '@/components/kit/page-frame';
import { RowAction } from '@/components/kit/table';
import { useReading, useUsdot, useViewActions } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { useChangeTags } from '@/lib/tags/changes';
import { useTags } from '@/lib/tags/queries';
import { LONGEST_TAG, type TagChange } from '@/lib/tags/schema';
import { formatCount } from '@/lib/view/format';
import { keysOf, type UnitTag } from '@/lib/view/marks';
import { unitName } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';

/** Units to tag, with a text for all of them, or the tags of the fleet. */
export type TagTask = { kind: 'units'; units: readonly UnitIdentity[]; title: string } | { kind: 'manage' };

interface TagDialogProps {
  task: TagTask;
  onClose: () => void;
}

export const TagDialog = ({ task, onClose }: TagDialogProps) =>
  task.kind === 'units' ? <TagUnits {...task} onClose={onClose} /> : <ManageTags onClose={onClose} />;

const NO_TAGS: readonly UnitTag[] = [];
const useFleetTags = (): readonly UnitTag[] => useTags(useUsdot()).data?.tags ?? NO_TAGS;

/** The names of a unit's keys matter only where a tag is taken off: it may have been given under an earlier one. */
const toChange = (
  units: readonly UnitIdentity[],
  { change, tag }: { change: string; tag: string },
): Extract<TagChange, { change: 'add' | 'remove' }> =>
  change === 'remove'
    ? { change, tag, units: units.flatMap(keysOf) }
    : { change: 'add', tag, units: units.map(({ key }) => key) };

const TagUnits = ({
  units,
  title,
  onClose,
}: Extract<TagTask, { kind: 'units' }> & Pick<TagDialogProps, 'onClose'>) => {
  const { mutateAsync: change } = useChangeTags(useUsdot());
  const announce = useAnnounce();
  const known = useFleetTags();
  const id = useId();
  return (
    <FormDialog
      title={`Tag ${title}`}
      action="Save"
      initialValues={{ change: 'add', tag: '' }}
      toInput={(values) => toChange(units, values)}
      send={async (input) => {
        await change(input);
        announce(`Tag ${input.tag} ${input.change === 'add' ? 'added to' : 'taken off'} ${title}`);
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {units.length === 1 ? null : (
            <NativeSelect
              label="Change"
              data={[
                { value: 'add', label: 'Add a tag' },
                { value: 'remove', label: 'Take a tag off' },
              ]}
              {...field('change')}
            />
          )}
          <TextInput
            label="Tag"
            description='In small letters. The search finds it as tag:flatbeds, or tag:"night shift".'
            placeholder="flatbeds"
            list={id}
            autoComplete="off"
            maxLength={LONGEST_TAG}
            data-autofocus
            {...field('tag')}
          />
          <datalist id={id}>
            {known.map(({ tag }) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
        </>
      )}
    </FormDialog>
  );
};

type ManageTask = { kind: 'rename' | 'delete'; tag: UnitTag };

const ManageTags = ({ onClose }: Pick<TagDialogProps, 'onClose'>) => {
  const { mutateAsync: change } = useChangeTags(useUsdot());
  const tags = useFleetTags();
  const [task, setTask] = useState<ManageTask | null>(null);
  const back = (): void => setTask(null);
  if (task?.kind === 'rename')
    return (
      <FormDialog
        title={`Rename the tag ${task.tag.tag}`}
        action="Rename"
        initialValues={{ to: task.tag.tag }}
        toInput={({ to }): TagChange => ({ change: 'rename', tag: task.tag.tag, to })}
        send={change}
        onClose={back}
      >
        {({ field }) => (
          <TextInput label="New name" maxLength={LONGEST_TAG} data-autofocus {...field('to')} />
        )}
      </FormDialog>
    );
  if (task?.kind === 'delete')
    return (
      <FormDialog
        title={`Remove the tag ${task.tag.tag}?`}
        action="Remove"
        isDangerous
        send={() => change({ change: 'delete', tag: task.tag.tag })}
        onClose={back}
      >
        <p>
          {formatCount(task.tag.units.length, 'truck')} {task.tag.units.length === 1 ? 'loses' : 'lose'} it.
          Rules and saved views that name it find nothing any more.
        </p>
      </FormDialog>
    );
  return (
    <Dialog title="Tags" onClose={onClose}>
      {tags.length === 0 ? (
        <p>No tags yet. Search or filter the list, and tag the trucks that it shows.</p>
      ) : (
        <TagTable tags={tags} onTask={setTask} onClose={onClose} />
      )}
    </Dialog>
  );
};

/** More names of a tag's units are given by their number. */
const MOST_NAMES = 8;

const useUnitNames = (): ((unit: string) => string) => {
  const { fleet } = useReading();
  const identities = fleet?.identities;
  const names = useMemo(() => {
    const byKey = new Map<string, string>();
    for (const identity of identities ?? [])
      if (identity !== null) byKey.set(identity.key, unitName(identity));
    return byKey;
  }, [identities]);
  return (unit) => names.get(unit) ?? unit;
};

interface TagTableProps {
  tags: readonly UnitTag[];
  onTask: (task: ManageTask) => void;
  onClose: () => void;
}

const TagTable = ({ tags, onTask, onClose }: TagTableProps) => {
  const { showAll, chooseTags } = useViewActions();
  const nameOf = useUnitNames();
  const show = (tag: string): void => {
    showAll();
    chooseTags([tag]);
    onClose();
  };
  return (
    <ItemList>
      {tags.map((each) => {
        const { tag, units } = each;
        const names = units.slice(0, MOST_NAMES).map(nameOf).join(', ');
        return (
          <Item
            key={tag}
            title={tag}
            about={`${formatCount(units.length, 'truck')}: ${names}${units.length > MOST_NAMES ? ' …' : ''}`}
          >
            <RowAction label="Show" of={`the trucks of ${tag}`} onPress={() => show(tag)} />
            <RowAction label="Rename" of={tag} onPress={() => onTask({ kind: 'rename', tag: each })} />
            <RowAction label="Remove" of={tag} onPress={() => onTask({ kind: 'delete', tag: each })} />
          </Item>
        );
      })}
    </ItemList>
  );
};
