import { Listeners } from '@/lib/base/listeners';
import type { Bounds } from '@/lib/geo/geodesy';
import { EVERYTHING, UNFILTERED, toViewSearch, type ViewState } from '@/lib/view/view-state';

/** A `step` can be undone by "back", a `quiet` change only rewrites the address, `leaving` opens another page. */
type ViewChange = 'step' | 'quiet' | 'address' | 'leaving';
export type ViewListener = (view: ViewState, change: ViewChange, before: ViewState) => void;

/** A view without what changes by itself: its camera, and its moment while the past is played. */
export type ChosenView = Omit<ViewState, 'camera' | 'past'>;

const CHOSEN = Object.keys(EVERYTHING).filter(
  (name) => name !== 'camera' && name !== 'past',
) as (keyof ChosenView)[];

const isOnlyMoved = (before: ViewState, next: ViewState): boolean =>
  CHOSEN.every((name) => before[name] === next[name]);

/** The view of the fleet. It outlives the map page, so that it is the same when the user comes back. */
export const createViewStore = () => {
  const listeners = new Listeners<Parameters<ViewListener>>();
  const maps = new Listeners<[Bounds]>();
  let view = EVERYTHING;
  let chosen: ChosenView = view;
  let adopted = false;

  const become = (next: ViewState, change: ViewChange): void => {
    const before = view;
    view = next;
    if (!isOnlyMoved(before, next)) chosen = next;
    listeners.notify(view, change, before);
  };

  return {
    read: () => view,
    /** The same object for as long as only the map or the moment moves. */
    readChosen: () => chosen,
    change: (patch: Partial<ViewState>, change: 'step' | 'quiet') => become({ ...view, ...patch }, change),
    /** Takes the view of an address. */
    adopt: (next: ViewState) => {
      adopted = true;
      // The same object where the address says what is shown: most pages open without a view.
      become(toViewSearch(next) === toViewSearch(view) ? view : next, 'address');
    },
    isAdopted: () => adopted,
    /** Reports that the user follows a link to another page, before it opens. */
    leave: () => become(view, 'leaving'),
    subscribe: listeners.add,
    /** Shows bounds on the map; false where there is no map yet, which then begins with the camera of its address. */
    showBounds: (bounds: Bounds): boolean => {
      maps.notify(bounds);
      return maps.size > 0;
    },
    /** Calls back with the bounds that the map is to show. */
    onBounds: maps.add,
  };
};

export type ViewStore = ReturnType<typeof createViewStore>;

export const createViewActions = (store: ViewStore) => ({
  /** Selects a unit. Going through a list is one step back, not fifty. */
  select: (unit: string | null, by: 'choice' | 'browsing' = 'choice') => {
    const { unit: before } = store.read();
    if (unit === before) return;
    store.change({ unit }, by === 'browsing' && before !== null && unit !== null ? 'quiet' : 'step');
  },
  search: (query: string) => store.change({ query }, 'quiet'),
  toggleStatus: (status: ViewState['statuses'][number]) => {
    const { statuses } = store.read();
    const without = statuses.filter((other) => other !== status);
    store.change({ statuses: without.length < statuses.length ? without : [...statuses, status] }, 'quiet');
  },
  toggleFlagged: () => store.change({ flagged: !store.read().flagged }, 'quiet'),
  chooseFlags: (flags: ViewState['flags']) => store.change({ flags }, 'quiet'),
  chooseReasons: (reasons: ViewState['reasons']) => store.change({ reasons }, 'quiet'),
  chooseLoads: (loads: ViewState['loads']) => store.change({ loads }, 'quiet'),
  chooseTags: (tags: ViewState['tags']) => store.change({ tags }, 'quiet'),
  showInView: (inView: boolean) => store.change({ inView }, 'quiet'),
  sortBy: (sort: ViewState['sort']) => store.change({ sort }, 'quiet'),
  showColumns: (columns: ViewState['columns']) => store.change({ columns }, 'quiet'),
  moveMap: (camera: ViewState['camera']) => store.change({ camera }, 'quiet'),
  chooseSites: (sites: ViewState['sites']) => store.change({ sites }, 'quiet'),
  showSites: (showsSites: boolean) => store.change({ showsSites }, 'quiet'),
  showTails: (tails: ViewState['tails']) => store.change({ tails }, 'quiet'),
  /** Lists the units that are nearest to a place, instead of the selected one; null: none. */
  showNear: (near: ViewState['near']) =>
    store.change(near === null ? { near } : { near, unit: null }, 'step'),
  showFreeOnly: (isFreeOnly: boolean) => store.change({ isFreeOnly }, 'quiet'),
  /** Shows a moment in the past; null: the live fleet. `step`: "back" returns to what was shown before. */
  showPast: (past: ViewState['past'], change: 'step' | 'quiet') => store.change({ past }, change),
  /** Opens a saved view; "back" returns to what was shown before. The moment of the screen stays. */
  openView: (view: ViewState) => store.change({ ...view, past: store.read().past }, 'step'),
  showAll: () => store.change(UNFILTERED, 'quiet'),
});
