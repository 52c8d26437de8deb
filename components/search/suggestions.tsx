import {
  IconBuildingWarehouse,
  IconMapPin,
  IconMapPinSearch,
  IconTag,
  IconTruck,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import {
  useDeferredValue,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { useReading, useUsdot, useViewActions, useViewStore } from '@/components/fleet-state/fleet-context';
import { openMap, useIsMapShown } from '@/components/fleet-state/map-link';
import { useFilteredPage } from '@/components/fleet-state/search-text';
import { useSiteNames, useSites } from '@/components/fleet-state/sites';
import { readTable } from '@/components/ui/place-table';
import { isEnter } from '@/components/ui/shortcuts';
import { usePlaceSearch } from '@/components/ui/use-place-search';
import type { Bounds } from '@/lib/geo/geodesy';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { useTags } from '@/lib/tags/queries';
import { filterRows } from '@/lib/view/filter';
import { boundsAbout } from '@/lib/view/near';
import { hasMatch } from '@/lib/view/search';
import { toViewSearch, type ViewState } from '@/lib/view/view-state';
import { SUGGESTION_KINDS, suggest, toCamera, type Suggestion, type SuggestionAction } from './suggest';
import styles from './suggestions.module.css';

export interface SuggestionsHandle {
  /** Handles a key of the field; false where the field has to. */
  onKey: (event: KeyboardEvent) => boolean;
}

interface SuggestionsProps {
  ref: Ref<SuggestionsHandle>;
  id: string;
  text: string;
  /** Id of the option that the arrow keys reached; null: none. */
  onActive: (id: string | null) => void;
  /** Whether there are suggestions. */
  onShown: (isShown: boolean) => void;
  /** A suggestion was taken; `isCleared`: the text was about it, and not about the list of the page. */
  onDone: (isCleared: boolean) => void;
}

const ICONS: Record<SuggestionAction['do'], Icon> = {
  unit: IconTruck,
  tag: IconTag,
  site: IconBuildingWarehouse,
  go: IconMapPin,
  near: IconMapPinSearch,
};

/** A site with its surroundings. */
const LEAST_SITE_M = 4000;
const toSuggestedSite = ({ id, name, kind, shape }: Site) => ({
  ...centerOf(shape),
  id,
  name,
  kind: SITE_KIND_LABELS[kind],
  radiusM: Math.max(LEAST_SITE_M, shape.type === 'circle' ? shape.radiusM : 0),
});

const NO_TAGS: never[] = [];

/** What is suggested for the text; the tables of places are loaded when they are first wanted. */
const useSuggestions = (text: string): Suggestion[] => {
  const { fleet } = useReading();
  const siteNames = useSiteNames();
  const sites = useSites();
  const tags = useTags(useUsdot()).data?.tags ?? NO_TAGS;
  const query = useDeferredValue(text);
  const findPlaces = usePlaceSearch(true, query);
  const { data: states = null } = useQuery({
    queryKey: ['states'],
    queryFn: async () => readTable<Record<string, Bounds>>(await fetch('/places/states.json')),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return useMemo(
    () =>
      suggest(query, {
        ...{ fleet, siteNames, tags, findPlaces, states },
        sites: (sites ?? []).map(toSuggestedSite),
      }),
    [query, fleet, siteNames, sites, tags, findPlaces, states],
  );
};

/** About the size of the map that is not there yet: beside the rail and the list, on a phone above the sheet. */
const mapSize = () => {
  const { innerWidth: width, innerHeight: height } = window;
  return { width: width < 860 ? width : width - 412, height: height - 172 };
};

/** Shows what a suggestion leads to on the map, which another page opens first. */
const useRun = () => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const siteNames = useSiteNames();
  const store = useViewStore();
  const { select } = useViewActions();
  const isOnMap = useIsMapShown();
  const { push } = useRouter();

  const show = (patch: Partial<ViewState>, bounds: Bounds | null): void => {
    if (isOnMap) {
      store.change(patch, 'step');
      if (bounds !== null) store.showBounds(bounds);
      return;
    }
    const isMapKept = bounds !== null && store.showBounds(bounds);
    const camera = isMapKept || bounds === null ? store.read().camera : toCamera(bounds, mapSize());
    openMap(
      `/fleets/${usdot}${toViewSearch({ ...store.read(), ...patch, camera: isMapKept ? null : camera })}`,
      push,
    );
  };
  return ({ action }: Suggestion): void => {
    const free = { query: '', unit: null, near: null };
    switch (action.do) {
      case 'unit':
        if (isOnMap) {
          select(action.key);
          if (action.bounds !== null) store.showBounds(action.bounds);
        } else show({ unit: action.key, near: null, past: null }, action.bounds);
        return;
      case 'go':
        return show(free, action.bounds);
      case 'site':
        return show({ ...free, showsSites: true }, action.bounds);
      case 'tag':
        return show({ ...free, tags: [action.tag] }, null);
      case 'near': {
        const rows =
          fleet === null ? new Int32Array() : filterRows(fleet, { ...store.read(), query: '' }, siteNames);
        show({ ...free, near: action.near }, boundsAbout(fleet, rows, action.near));
      }
    }
  };
};

/**
 * What Enter does where no suggestion is chosen: the list of the map selects its best match, a page that is filtered is
 * so already, another shows the trucks on the map; and where no truck matches, the first suggestion is taken.
 */
const useEnter = (text: string): (() => 'suggestion' | 'done' | 'list') => {
  const usdot = useUsdot();
  const store = useViewStore();
  const isOnMap = useIsMapShown();
  const page = useFilteredPage();
  const { fleet } = useReading();
  const { push } = useRouter();
  return () => {
    if (page !== null && page !== 'roster') return 'done';
    if (fleet !== null && !hasMatch(fleet, text)) return 'suggestion';
    if (isOnMap) return 'list';
    openMap(`/fleets/${usdot}${toViewSearch({ ...store.read(), query: text, unit: null })}`, push);
    return 'done';
  };
};

/** The suggestions of the search field as a list box, whose active option the field's arrow keys choose. */
export const Suggestions = (props: SuggestionsProps) => {
  const { ref, id, text, onActive, onShown, onDone } = props;
  const enter = useEnter(text);
  const items = useSuggestions(text);
  const run = useRun();
  const [active, setActive] = useState<number | null>(null);
  const [activeFor, setActiveFor] = useState(text);
  if (activeFor !== text) {
    setActiveFor(text);
    setActive(null);
  }
  const shown = active !== null && active < items.length ? active : null;
  const optionId = (index: number): string => `${id}-${index}`;
  const activeId = shown === null ? null : optionId(shown);
  useEffect(() => onActive(activeId), [activeId, onActive]);
  const isShown = items.length > 0;
  useEffect(() => {
    onShown(isShown);
    return () => onShown(false);
  }, [isShown, onShown]);
  useEffect(() => {
    if (activeId !== null) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const take = (item: Suggestion): void => {
    run(item);
    onDone(item.action.do !== 'unit');
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      // Before the first and after the last option is the field itself.
      const next = ((shown ?? -1) + 1 + step + items.length + 1) % (items.length + 1);
      setActive(next === 0 ? null : next - 1);
      return true;
    }
    if (!isEnter(event)) return false;
    const does = shown === null ? enter() : 'suggestion';
    const chosen = items[shown ?? 0];
    if (does === 'suggestion' && chosen !== undefined) take(chosen);
    else if (does === 'done') onDone(false);
    else return false;
    return true;
  };
  useImperativeHandle(ref, () => ({ onKey }));

  return (
    <div className={styles.list} hidden={!isShown}>
      <span className="visually-hidden" role="status">
        {items.length === 0 ? '' : `${items.length} suggestions`}
      </span>
      <div id={id} role="listbox" aria-label="Suggestions">
        {SUGGESTION_KINDS.map((kind) => (
          <Group key={kind} kind={kind} items={items} shown={shown} optionId={optionId} onTake={take} />
        ))}
      </div>
    </div>
  );
};

interface GroupProps {
  kind: Suggestion['kind'];
  items: readonly Suggestion[];
  shown: number | null;
  optionId: (index: number) => string;
  onTake: (item: Suggestion) => void;
}

const Group = ({ kind, items, shown, optionId, onTake }: GroupProps) => {
  const id = useId();
  if (!items.some((item) => item.kind === kind)) return null;
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className={`lh-head ${styles.head}`} role="presentation">
        {kind}
      </div>
      {items.map((item, index) => {
        if (item.kind !== kind) return null;
        const Sign = item.kind === 'Contacts' ? IconUser : ICONS[item.action.do];
        return (
          <div
            key={optionId(index)}
            id={optionId(index)}
            role="option"
            className={styles.option}
            aria-selected={index === shown}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(item)}
          >
            <Sign size={18} stroke={1.75} aria-hidden="true" />
            <span className="lh-cut">{item.label}</span>
            {item.detail === null ? null : <small className="lh-cut">{item.detail}</small>}
          </div>
        );
      })}
    </div>
  );
};
