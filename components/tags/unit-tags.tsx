import { IconPlus, IconX } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useSeesAllUnits } from '@/components/layout/viewer-context';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useUnitMarks } from '@/components/fleet-state/marks';
import { useAnnounce } from '@/components/ui/announcer';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useChangeTags } from '@/lib/tags/changes';
import { keysOf } from '@/lib/view/marks';
import { unitTitle } from '@/lib/view/unit-name';
import type { UnitIdentity } from '@/lib/wire/fleet';
import styles from './tags.module.css';

const dialogs = onDemand(() => import('./tag-dialogs').then(({ TagDialog }) => TagDialog));

export const UnitTags = ({ identity }: { identity: UnitIdentity }) => {
  const { tags } = useUnitMarks(identity);
  const { mutate: change, error } = useChangeTags(useUsdot());
  const mayChange = useSeesAllUnits();
  const [isAdding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  const takeOff = (tag: string): void =>
    change(
      { change: 'remove', tag, units: keysOf(identity) },
      {
        onSuccess: () => {
          announce(`Tag ${tag} taken off`);
          // The button that had the focus has left the page.
          addButton.current?.focus();
        },
      },
    );
  return (
    <>
      <ul className={`lh-list ${styles.chips}`} aria-label="Tags">
        {tags.map((tag) => (
          <Chip key={tag} tag={tag} onTakeOff={mayChange ? () => takeOff(tag) : null} />
        ))}
        {mayChange ? (
          <li>
            <BareButton
              ref={addButton}
              className="lh-link lh-add"
              onPointerEnter={dialogs.preload}
              onClick={() => setAdding(true)}
            >
              <IconPlus size={15} stroke={2} aria-hidden="true" />
              Add a tag
            </BareButton>
          </li>
        ) : null}
      </ul>
      {error === null ? null : (
        <p className="lh-problem" role="alert">
          {error.message}
        </p>
      )}
      {isAdding ? (
        <Suspense>
          <dialogs.Part
            task={{ kind: 'units', units: [identity], title: unitTitle(identity) }}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
};

const Chip = ({ tag, onTakeOff }: { tag: string; onTakeOff: (() => void) | null }) => (
  <li className={styles.chip}>
    {tag}
    {onTakeOff === null ? null : (
      <BareButton className="lh-icon" aria-label={`Take off the tag ${tag}`} onClick={onTakeOff}>
        <IconX size={14} stroke={2} aria-hidden="true" />
      </BareButton>
    )}
  </li>
);
