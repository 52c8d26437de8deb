import { Group } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { coordinatesText, parseCoordinates } from '@/lib/gazetteer/coordinates';
import type { NamedPlace } from '@/lib/gazetteer/place';
import { isEnter } from './shortcuts';
import { usePlaceSearch } from './use-place-search';

const TOWNS = 8;
/** The surroundings of coordinates. */
const ABOUT_M = 2000;

/** Chooses a town by its name or ZIP code, as soon as that is complete, or coordinates by Enter. */
export const TownField = ({ onChoose }: { onChoose: (town: NamedPlace) => void }) => {
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const [text, setText] = useState('');
  const search = usePlaceSearch(isWanted, text);
  const towns = search?.(text, TOWNS) ?? [];
  const choose = (name: string): void => {
    const town = search?.(name, TOWNS).find(({ isWhole }) => isWhole);
    if (town !== undefined) onChoose(town);
  };
  const take = (name: string): void => {
    setText(name);
    choose(name);
  };
  // A name can be complete before the towns are loaded.
  const onLoaded = useEffectEvent(() => choose(text));
  useEffect(() => {
    if (search !== null) onLoaded();
  }, [search]);
  return (
    <Group component="label" gap={8} wrap="nowrap" c="dimmed">
      <span className="lh-nowrap">Town or ZIP code</span>
      <input
        type="text"
        className="lh-field"
        style={{ width: '100%' }}
        list={id}
        placeholder="Amarillo, TX, or coordinates"
        autoComplete="off"
        value={text}
        onFocus={() => setWanted(true)}
        onChange={({ target }) => take(target.value)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return;
          // In a form it would send that.
          event.preventDefault();
          const at = parseCoordinates(text);
          if (at !== null) onChoose({ ...at, name: coordinatesText(at), radiusM: ABOUT_M });
          else if (towns[0] !== undefined) take(towns[0].name);
        }}
      />
      <datalist id={id}>
        {towns.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Group>
  );
};
