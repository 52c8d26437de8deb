import { Suspense, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useUsdot, useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useSiteNames } from '@/components/fleet-state/sites';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { useTags } from '@/lib/tags/queries';
import { formatCount } from '@/lib/view/format';
import { freeText, type FreeTags } from '@/lib/view/free';
import { filterTexts } from '@/lib/view/filter-text';
import styles from './near.module.css';

const freeDialog = onDemand(() =>
  import('@/components/tags/free-dialog').then(({ FreeDialog }) => FreeDialog),
);

/** The tags that say which trucks are free; null where the fleet has not said so, undefined until that is known. */
export const useFreeTags = (): FreeTags | null | undefined => useTags(useUsdot()).data?.free;

/** Which trucks the list of the nearest has: all or the free ones, and of what the search and the filters of the fleet's list show. */
export const NearFilters = ({ count }: { count: number }) => {
  const view = useView();
  const names = useSiteNames()?.names;
  const { showAll } = useViewActions();
  const filters = filterTexts(view, (id) => names?.get(id));
  return (
    <>
      <FreeChoice />
      {filters.length === 0 ? null : (
        <p>
          Filtered by {filters.join(', ')}: {formatCount(count, 'truck')}.{' '}
          <BareButton className="lh-link" onClick={showAll}>
            Clear filters
          </BareButton>
        </p>
      )}
    </>
  );
};

const FreeChoice = () => {
  const { isFreeOnly } = useView();
  const { showFreeOnly } = useViewActions();
  const free = useFreeTags();
  const mayDefine = useSeesAllUnits();
  const [isDefining, setDefining] = useState(false);
  if (free === undefined || (free === null && !mayDefine)) return null;
  const choose = (isOn: boolean): void => {
    if (isOn && free === null) setDefining(true);
    else showFreeOnly(isOn);
  };
  return (
    <div className={styles.free}>
      <div role="group" aria-label="Which trucks" className={styles.choice}>
        <BareButton aria-pressed={!isFreeOnly || free === null} onClick={() => choose(false)}>
          All
        </BareButton>
        <BareButton aria-pressed={isFreeOnly && free !== null} onClick={() => choose(true)}>
          Free
        </BareButton>
      </div>
      {free === null ? (
        <span>No tags say which trucks are free.</span>
      ) : isFreeOnly ? (
        <span>Free: {freeText(free)}.</span>
      ) : null}{' '}
      {mayDefine ? (
        <BareButton className="lh-link" onPointerEnter={freeDialog.preload} onClick={() => setDefining(true)}>
          {free === null ? 'Choose tags' : 'Change free tags'}
          <span className="visually-hidden">, which say which trucks are free</span>
        </BareButton>
      ) : null}
      {isDefining ? (
        <Suspense>
          <freeDialog.Part onClose={() => setDefining(false)} />
        </Suspense>
      ) : null}
    </div>
  );
};
