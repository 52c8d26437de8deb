import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { fold } from '@/lib/view/fold';
import { useSites } from '@/components/fleet-state/sites';
import { usePlaceSearch } from '@/components/ui/use-place-search';
import { centerOf } from '@/lib/sites/geometry/center';
import type { Site } from '@/lib/sites/schema';
import { parseCoordinates } from '@/lib/view/near/text';
import type { NearPlace } from '@/lib/view/view-state';
import styles from './near.module.css';

const TOWNS = 8;
const SITES = 8;

/** Sites with a text in their names; one that has it as its name comes first. */
const findSites = (sites: readonly Site[], text: string) => {
  const part = fold(text.trim());
  if (part === '') return [];
  return sites
    .map(({ name, shape }) => ({ name, shape, folded: fold(name) }))
    .filter(({ folded }) => folded.includes(part))
    .sort((a, b) => Number(b.folded === part) - Number(a.folded === part))
    .slice(0, SITES)
    .map(({ name, shape, folded }) => ({ ...centerOf(shape), name, isWhole: folded === part }));
};

/** Finds sites and then towns by a text; the towns are loaded when they are first wanted. */
const useFind = (isWanted: boolean, typed: string) => {
  const search = usePlaceSearch(isWanted, typed);
  const sites = useSites() ?? [];
  return (text: string): (NearPlace & { isWhole: boolean })[] => [
    ...findSites(sites, text),
    ...(search?.(text, TOWNS) ?? []).map(({ lat, lng, name, isWhole }) => ({ lat, lng, name, isWhole })),
  ];
};

/** A field for a site, a town, a ZIP code or coordinates; Enter chooses, a name that is complete at once. */
export const PlaceField = ({ onChoose }: { onChoose: (near: NearPlace) => void }) => {
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const find = useFind(isWanted, text);
  const places = find(text);
  const choose = ({ lat, lng, name }: NearPlace): void => {
    setText('');
    setFault(null);
    onChoose({ lat, lng, name });
  };
  const type = (typed: string): void => {
    setText(typed);
    setFault(null);
    const found = find(typed);
    // "Yard 1" is not complete while there is a "Yard 10".
    if (found.length === 1 && found[0]!.isWhole) choose(found[0]!);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    const at = parseCoordinates(text);
    const [first] = places;
    if (at !== null) choose({ ...at, name: null });
    else if (first !== undefined) choose(first);
    else
      setFault(
        'No site has this in its name, no town begins like this, and it is no ZIP code. Coordinates are written 35.2, -101.83.',
      );
  };
  return (
    <form className={styles.place} onSubmit={submit}>
      <label htmlFor={`${id}-field`}>Another place</label>
      <input
        id={`${id}-field`}
        type="text"
        list={`${id}-places`}
        placeholder="Site, town, ZIP code, or 35.2, -101.83"
        autoComplete="off"
        maxLength={100}
        value={text}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onFocus={() => setWanted(true)}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={`${id}-places`}>
        {places.map(({ name }) => (
          <option key={name} value={name ?? ''} />
        ))}
      </datalist>
      {fault === null ? null : (
        <p id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </form>
  );
};
