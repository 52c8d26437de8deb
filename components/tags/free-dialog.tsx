import { ChoicesField } from '@/components/ui/choices-field';
import { FormDialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useChangeTags } from '@/lib/tags/changes';
import { useTags } from '@/lib/tags/queries';
import type { TagChange } from '@/lib/tags/schema';
import { fold } from '@/lib/base/text/text';

const SHOWN_TAGS = 20;

/** Sets by tags which trucks of the fleet are free; for all of its users. */
export const FreeDialog = ({ onClose }: { onClose: () => void }) => {
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
          <p>
            {names.length === 0
              ? 'This fleet has no tags yet. Tag the trucks first, for example as empty or in shop.'
              : 'Choose the tags that say so. Everyone who sees this fleet then has the filter “Free”.'}
          </p>
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
