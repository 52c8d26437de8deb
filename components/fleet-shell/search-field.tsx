import { IconSearch, IconX } from '@tabler/icons-react';
import { Suspense, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { useReading } from '../fleet-state/fleet-context';
import { useIsMapShown } from '../fleet-state/map-link';
import { useFilteredPage, useSearchText } from '../fleet-state/search-text';
import { useSiteNames } from '../fleet-state/sites';
import { isEnter, useShortcuts } from '../ui/shortcuts';
import styles from './search-field.module.css';
import { usePhone } from '../layout/shell';
import { hasMatch } from '@/lib/view/search';
import type { SuggestionsHandle } from '../search/suggestions';

const suggestions = onDemand(() => import('../search/suggestions').then(({ Suggestions }) => Suggestions));

export const SEARCH_ID = 'unit-search';

const SEARCH_INPUT = {
  type: 'text',
  inputMode: 'search',
  enterKeyHint: 'search',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  // Links to maps are long.
  maxLength: 1000,
} as const;

const PLACEHOLDERS = {
  loads: 'Filter the loads, or find anything',
  links: 'Filter the links, or find anything',
  proof: 'Filter the documents, or find anything',
  roster: 'Filter the roster, or find anything',
  history: 'Filter by truck, or find anything',
  alerts: 'Filter the alerts, or find anything',
  sites: 'Filter the sites, or find anything',
  devices: 'Filter the devices, or find anything',
};

/**
 * The text of the field. On the map a text that no truck matches filters nothing as long as it may be about a place: the
 * list and the map keep what they show until it is known whether anything is suggested for it.
 */
const useFieldText = () => {
  const [query, search] = useSearchText();
  const { fleet } = useReading();
  const siteNames = useSiteNames();
  const isMap = useIsMapShown();
  /** What was typed, and what is searched meanwhile. */
  const [draft, setDraft] = useState({ text: '', query: '' });
  const text = isMap && draft.query === query ? draft.text : query;
  const finds = (typed: string): boolean => !isMap || fleet === null || hasMatch(fleet, typed, siteNames);
  const setText = (typed: string, isAny: boolean | null = null): void => {
    const searched = isAny === false || finds(typed) ? typed : isAny === null ? query : '';
    setDraft({ text: typed, query: searched });
    search(searched);
  };
  const onSuggested = (typed: string, isAny: boolean): void => {
    if (typed === text && !finds(typed)) setText(typed, isAny);
  };
  return { text, setText, onSuggested, isPending: text !== query };
};

/** The text of the field, its list, and what its keys do. */
const useCombobox = (
  input: RefObject<HTMLInputElement | null>,
  list: RefObject<SuggestionsHandle | null>,
) => {
  const { text, setText, onSuggested, isPending } = useFieldText();
  const [isOpen, setOpen] = useState(false);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const isListed = isOpen && text.trim() !== '';
  const close = (): void => {
    setOpen(false);
    setActiveId(null);
  };
  const clear = (): void => {
    setText('');
    close();
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      // Escape clears the field, and leaves it once it is empty.
      if (text === '') input.current?.blur();
      else setText('');
      close();
    } else if (!list.current?.onKey(event)) {
      // The list of the map does not have what was typed.
      const isMeant = isEnter(event) && isPending;
      if (isEnter(event)) setOpen(isMeant || !isListed);
      if (isMeant) event.stopPropagation();
      // The keys of the list on the map take it from here.
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const type = (typed: string): void => {
    setText(typed);
    setOpen(true);
  };
  return {
    ...{
      text,
      setText,
      onSuggested,
      type,
      activeId,
      setActiveId,
      isShown,
      setShown,
      isListed,
      onKeyDown,
      close,
      clear,
    },
    open: () => setOpen(true),
  };
};

/** Filters the list of the page, and suggests loads, trucks, contacts, tags, sites and places; from a page without a list, Enter goes to the map. */
export const SearchField = () => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<SuggestionsHandle>(null);
  const box = useCombobox(input, list);
  const { text, isListed } = box;
  const page = useFilteredPage();
  const placeholder = page === null ? 'Truck, load, driver, site, town' : PLACEHOLDERS[page];
  useShortcuts({
    '/': () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <div role="search" className={styles.search}>
      <IconSearch className={styles.icon} size={18} stroke={1.75} aria-hidden="true" />
      <input
        id={SEARCH_ID}
        role="combobox"
        aria-label="Search"
        aria-autocomplete="list"
        aria-expanded={box.isShown}
        aria-controls={box.isShown ? id : undefined}
        aria-activedescendant={box.isShown ? (box.activeId ?? undefined) : undefined}
        ref={input}
        className={styles.input}
        {...SEARCH_INPUT}
        placeholder={usePhone() ? 'Find anything' : placeholder}
        aria-keyshortcuts="/"
        value={text}
        onFocus={suggestions.preload}
        onBlur={box.close}
        onClick={box.open}
        onChange={(event) => box.type(event.currentTarget.value)}
        onKeyDown={box.onKeyDown}
      />
      <EndOfField isEmpty={text === ''} onClear={box.clear} />
      {isListed ? (
        <Suspense>
          <suggestions.Part
            ref={list}
            id={id}
            text={text}
            onActive={box.setActiveId}
            onShown={box.setShown}
            onSuggested={box.onSuggested}
            onDone={(isCleared) => {
              if (isCleared) box.setText('');
              box.close();
            }}
          />
        </Suspense>
      ) : null}
    </div>
  );
};

/** The key that leads to the field, or the button that clears it. */
const EndOfField = ({ isEmpty, onClear }: { isEmpty: boolean; onClear: () => void }) =>
  isEmpty ? (
    <kbd className={styles.hint} aria-hidden="true">
      /
    </kbd>
  ) : (
    <BareButton className={`lh-icon ${styles.clear}`} aria-label="Clear search" onClick={onClear}>
      <IconX size={16} stroke={2} aria-hidden="true" />
    </BareButton>
  );
