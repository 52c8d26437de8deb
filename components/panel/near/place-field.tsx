import { useEffect, useEffectEvent, useId, useState, type FormEvent } from 'react';
import { fold } from '@/lib/base/text/text';
import { useSites } from '@/components/fleet-state/sites';
import { usePlaceSearch } from '@/components/ui/use-place-search';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { MOST_LINK_CHARACTERS, parseCoordinates } from '@/lib/gazetteer/coordinates';
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
    .map(({ name, shape, folded }) => ({
      ...centerOf(shape),
      name,
      isBegun: folded.startsWith(part),
      isWhole: folded === part,
    }));
};

/** Finds sites and then towns by a text; the towns are loaded when they are first wanted. */
const useFind = (isWanted: boolean, typed: string) => {
  const search = usePlaceSearch(isWanted, typed);
  const sites = useSites() ?? [];
  const find = (text: string) => [
    ...findSites(sites, text),
    ...(search?.(text, TOWNS) ?? []).map((town) => ({ ...town, isBegun: true })),
  ];
  return { find, search };
};

type FoundPlace = ReturnType<ReturnType<typeof useFind>['find']>[number];

/** The place that is meant, once a name is complete: "Yard 1" is not while there is a "Yard 10". */
const findWhole = (places: readonly FoundPlace[]): FoundPlace | null => {
  const [first, ...others] = places.filter(({ isBegun }) => isBegun);
  return first?.isWhole && others.length === 0 ? first : null;
};

/** Calls back when a table has arrived: a name or a ZIP code can be complete before it is there. */
const useWhenLoaded = (search: unknown, onLoaded: () => void): void => {
  const call = useEffectEvent(onLoaded);
  useEffect(() => {
    if (search !== null) call();
  }, [search]);
};

/** A field for a site, a town, a ZIP code or coordinates; Enter chooses, a name that is complete at once. */
export const PlaceField = ({ onChoose }: { onChoose: (near: NearPlace) => void }) => {
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { find, search } = useFind(isWanted, text);
  const places = find(text);
  const choose = ({ lat, lng, name }: NearPlace): void => {
    setText('');
    setFault(null);
    onChoose({ lat, lng, name });
  };
  const type = (typed: string): void => {
    setText(typed);
    setFault(null);
    const whole = findWhole(find(typed));
    if (whole !== null) choose(whole);
  };
  useWhenLoaded(search, () => {
    const whole = findWhole(places);
    if (whole !== null) onChoose({ lat: whole.lat, lng: whole.lng, name: whole.name });
  });
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
        className="lh-field"
        type="text"
        list={`${id}-places`}
        placeholder="Site, town, ZIP or coordinates"
        autoComplete="off"
        maxLength={MOST_LINK_CHARACTERS}
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
      <Fault id={`${id}-fault`}>{fault}</Fault>
    </form>
  );
};

const Fault = ({ id, children }: { id: string; children: string | null }) =>
  children === null ? null : (
    <p id={id} role="alert">
      {children}
    </p>
  );
