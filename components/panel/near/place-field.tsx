import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { usePlaceSearch } from '@/components/ui/use-places';
import { parseCoordinates } from '@/lib/view/near/text';
import type { NearPlace } from '@/lib/view/view-state';
import styles from './near.module.css';

const TOWNS = 8;

/** A field for a town or coordinates; Enter chooses, a town of the list at once. */
export const PlaceField = ({ onChoose }: { onChoose: (near: NearPlace) => void }) => {
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const search = usePlaceSearch(isWanted);
  const towns = search?.(text, TOWNS) ?? [];
  const choose = (near: NearPlace): void => {
    setText('');
    setFault(null);
    onChoose(near);
  };
  const type = (typed: string): void => {
    setText(typed);
    setFault(null);
    const town = search?.(typed, TOWNS).find(({ name }) => name === typed);
    if (town !== undefined) choose({ lat: town.lat, lng: town.lng, name: town.name });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    const at = parseCoordinates(text);
    const [town] = towns;
    if (at !== null) choose({ ...at, name: null });
    else if (town !== undefined) choose({ lat: town.lat, lng: town.lng, name: town.name });
    else setFault('No town begins like this. Coordinates are written 35.2, -101.83.');
  };
  return (
    <form className={styles.place} onSubmit={submit}>
      <label htmlFor={`${id}-field`}>Another place</label>
      <input
        id={`${id}-field`}
        type="text"
        list={`${id}-towns`}
        placeholder="Town, or 35.2, -101.83"
        autoComplete="off"
        maxLength={100}
        value={text}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onFocus={() => setWanted(true)}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={`${id}-towns`}>
        {towns.map(({ name }) => (
          <option key={name} value={name} />
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
