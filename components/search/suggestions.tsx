import {
  IconBuildingWarehouse,
  IconListSearch,
  IconMapPin,
  IconMapPinSearch,
  IconPackage,
  IconTag,
  IconTruck,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useMemo,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { useReading, useUsdot, useViewActions, useViewStore } from '@/components/fleet-state/fleet-context';
import { openMap, useIsMapShown } from '@/components/fleet-state/map-link';
import { useOpenPage } from '@/components/fleet-state/use-view-address';
import { useFilteredPage } from '@/components/fleet-state/search-text';
import { useSiteNames, useSites } from '@/components/fleet-state/sites';
import { readTable } from '@/components/ui/place-table';
import { isEnter } from '@/components/ui/shortcuts';
import { usePlaceSearch } from '@/components/ui/use-place-search';
import type { Bounds } from '@/lib/geo/geodesy';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import type { Load } from '@/lib/loads/load';
import { useLoads } from '@/lib/loads/queries';
import { useTags } from '@/lib/tags/queries';
import { filterRows } from '@/lib/view/filter';
import { boundsAbout } from '@/lib/view/near';
import { hasMatch } from '@/lib/view/search';
import { toViewSearch, type ViewState } from '@/lib/view/view-state';
import { suggest, toCamera, type Suggestion, type SuggestionAction } from './suggest';
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
  /** Which text they are for, once all that could be suggested is known. */
  onSuggested: (text: string, isAny: boolean) => void;
  /** A suggestion was taken; `isCleared`: the text was about it, and not about the list of the page. */
  onDone: (isCleared: boolean) => void;
}

const ICONS: Record<SuggestionAction['do'], Icon> = {
  unit: IconTruck,
  tag: IconTag,
  site: IconBuildingWarehouse,
  go: IconMapPin,
  list: IconListSearch,
  near: IconMapPinSearch,
  load: IconPackage,
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

const toSuggestedLoad = ({ id, reference, po, bol, customer, stops }: Load) => ({
  id,
  references: [reference, po, bol].filter((each) => each !== ''),
  detail: [customer, stops.map(({ name }) => name).join(' → ')].filter(Boolean).join(', '),
});

const NO_TAGS: never[] = [];
const NO_LOADS: readonly Load[] = [];

/** What is suggested for the text; the tables of places are loaded when they are first wanted. */
const useSuggestions = (text: string) => {
  const { fleet } = useReading();
  const siteNames = useSiteNames();
  const sites = useSites();
  const tags = useTags(useUsdot()).data?.tags ?? NO_TAGS;
  const loads = useLoads(useUsdot()).data?.loads ?? NO_LOADS;
  const suggestedLoads = useMemo(() => loads.map(toSuggestedLoad), [loads]);
  const query = useDeferredValue(text);
  const findPlaces = usePlaceSearch(true, query);
  const { data: states = null } = useQuery({
    queryKey: ['states'],
    queryFn: async () => readTable<Record<string, Bounds>>(await fetch('/places/states.json')),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const suggested = useMemo(
    () =>
      suggest(query, {
        ...{ fleet, siteNames, tags, findPlaces, states },
        sites: (sites ?? []).map(toSuggestedSite),
        loads: suggestedLoads,
      }),
    [query, fleet, siteNames, sites, tags, suggestedLoads, findPlaces, states],
  );
  return { ...suggested, query, isWhole: findPlaces !== null };
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
  const openPage = useOpenPage();

  const show = (patch: Partial<ViewState>, bounds: Bounds | null): void => {
    if (isOnMap) {
      // Back returns to the trucks that were shown before the place was typed.
      if (patch.query !== undefined) store.change({ query: patch.query }, 'quiet');
      store.change(patch, 'step');
      if (bounds !== null) store.showBounds(bounds);
      return;
    }
    const isMapKept = bounds !== null && store.showBounds(bounds);
    const camera = isMapKept || bounds === null ? store.read().camera : toCamera(bounds, mapSize());
    openMap(
      `/fleets/${usdot}${toViewSearch({ ...store.read(), ...patch, camera: isMapKept ? null : camera })}`,
      openPage,
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
      case 'list':
        return show({ ...free, inView: true }, action.bounds);
      case 'site':
        return show({ ...free, showsSites: true }, action.bounds);
      case 'load':
        return openPage(`/fleets/${usdot}/loads/${action.id}`);
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
 * What Enter does where no suggestion is chosen and no load is meant: the list of the map selects its best match, a page that is filtered is
 * so already, another shows the trucks on the map; and where no truck matches, the first suggestion is taken.
 */
const useEnter = (text: string): (() => 'suggestion' | 'done' | 'list') => {
  const usdot = useUsdot();
  const store = useViewStore();
  const isOnMap = useIsMapShown();
  const page = useFilteredPage();
  const { fleet } = useReading();
  const siteNames = useSiteNames();
  const openPage = useOpenPage();
  return () => {
    if (page !== null && page !== 'roster') return 'done';
    if (fleet !== null && !hasMatch(fleet, text, siteNames)) return 'suggestion';
    if (isOnMap) return 'list';
    openMap(`/fleets/${usdot}${toViewSearch({ ...store.read(), query: text, unit: null })}`, openPage);
    return 'done';
  };
};

/** The index of the active option; null: none, as with another text. */
const useActive = (text: string, count: number) => {
  const [active, setActive] = useState<{ text: string; index: number | null }>({ text, index: null });
  const index = active.text === text && active.index !== null && active.index < count ? active.index : null;
  return [index, (next: number | null) => setActive({ text, index: next })] as const;
};

/** The suggestions of the search field as a list box, whose active option the field's arrow keys choose. */
export const Suggestions = (props: SuggestionsProps) => {
  const { ref, id, text, onActive, onShown, onSuggested, onDone } = props;
  const enter = useEnter(text);
  const { items, load, more, query, isWhole } = useSuggestions(text);
  const run = useRun();
  const [shown, setActive] = useActive(text, items.length);
  const optionId = (index: number): string => `${id}-${index}`;
  const activeId = shown === null ? null : optionId(shown);
  useEffect(() => onActive(activeId), [activeId, onActive]);
  const isShown = items.length > 0;
  useEffect(() => {
    onShown(isShown);
    return () => onShown(false);
  }, [isShown, onShown]);
  const report = useEffectEvent(onSuggested);
  useEffect(() => {
    if (isWhole || isShown) report(query, isShown);
  }, [query, isWhole, isShown]);
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
    const meant = shown === null && query === text ? load : null;
    const does = shown === null && meant === null ? enter() : 'suggestion';
    const chosen = meant ?? items[shown ?? 0];
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
        {[...new Set(items.map(({ kind }) => kind))].map((kind) => (
          <Group key={kind} kind={kind} items={items} shown={shown} optionId={optionId} onTake={take} />
        ))}
      </div>
      {more === null ? null : <p className={styles.more}>{more}</p>}
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
  return (
    <div role="group" aria-labelledby={id} className={styles.group}>
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
            data-second={item.short !== undefined || undefined}
            aria-selected={index === shown}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(item)}
          >
            <Sign size={18} stroke={1.75} aria-hidden="true" />
            <span className="lh-cut">
              {item.short ?? item.label}
              {item.short === undefined ? null : (
                <span className="visually-hidden">{item.label.slice(item.short.length)}</span>
              )}
            </span>
            {item.detail === null ? null : <small className="lh-cut">{item.detail}</small>}
          </div>
        );
      })}
    </div>
  );
};
