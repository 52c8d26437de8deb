import { TextInput } from '@mantine/core';
import { ChoicesField } from '@/components/ui/choices-field';
import { FormDialog } from '@/components/kit/dialog';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { chosenText, searchUnits } from '@/components/fleet-state/search-units';
import { useChangeTags } from '@/lib/tags/changes';
import { useTags } from '@/lib/tags/queries';
import { LONGEST_TAG, type TagChange } from '@/lib/tags/schema';
import { fold } from '@/lib/base/text/text';

const SHOWN_TAGS = 20;

interface FreeDialogProps {
  onClose: () => void;
}

/** Sets by tags which trucks of the fleet are free; for all of its users. */
export const FreeDialog = ({ onClose }: FreeDialogProps) =>
  useTags(useUsdot()).data?.tags.length === 0 ? (
    <FirstFree onClose={onClose} />
  ) : (
    <FreeTags onClose={onClose} />
  );

/** Tags the trucks that are free in a fleet that has no tag yet. */
const FirstFree = ({ onClose }: FreeDialogProps) => {
  const { mutateAsync: change } = useChangeTags(useUsdot());
  const { fleet } = useReading();
  return (
    <FormDialog
      title="Which trucks are free?"
      action="Save"
      initialValues={{ tag: 'free', units: [] as string[] }}
      toInput={(values) => values}
      send={async ({ tag, units }) => {
        await change({ change: 'add', tag, units });
        await change({ change: 'free', has: [tag.trim().toLowerCase()], not: [] });
      }}
      onClose={onClose}
    >
      {({ field, values }) => (
        <>
          <p>
            A tag says so, and this fleet has none yet. Choose the trucks that are free now. Later, give a
            truck the tag, or take it off, in its panel.
          </p>
          <ChoicesField
            label="Free trucks"
            placeholder="Truck number"
            search={searchUnits(fleet)}
            labelOf={(unit) => chosenText(fleet, { unit, tag: null })!}
            {...field('units')}
            value={values.units}
          />
          <TextInput label="Their tag" maxLength={LONGEST_TAG} {...field('tag')} />
        </>
      )}
    </FormDialog>
  );
};

const FreeTags = ({ onClose }: FreeDialogProps) => {
  const usdot = useUsdot();
  const { data } = useTags(usdot);
  const { mutateAsync: change } = useChangeTags(usdot);
  const names = (data?.tags ?? []).map(({ tag }) => tag);
  const choices = {
    search: (text: string) =>
      names
        .filter((tag) => tag.includes(fold(text)))
        .slice(0, SHOWN_TAGS)
        .map((tag) => ({ value: tag, label: tag })),
    labelOf: (tag: string) => tag,
  };
  return (
    <FormDialog
      title="Which trucks are free?"
      action="Save"
      initialValues={data?.free ?? { has: [], not: [] }}
      toInput={({ has, not }): TagChange => ({ change: 'free', has, not })}
      send={change}
      onClose={onClose}
    >
      {({ field, values }) => (
        <>
          <p>Choose the tags that say so. Everyone who sees this fleet then has the filter “Free”.</p>
          <ChoicesField
            label="Free trucks have one of these tags"
            placeholder="Any truck"
            {...choices}
            {...field('has')}
            value={values.has}
          />
          <ChoicesField
            label="and none of these"
            placeholder="No tag rules a truck out"
            {...choices}
            {...field('not')}
            value={values.not}
          />
        </>
      )}
    </FormDialog>
  );
};
