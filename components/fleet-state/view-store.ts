import { EVERYTHING } from '@/lib/view/view-state';
import type { ViewState } from '@/lib/view/view-state';

/**
 * How a change of the view came about: a `step` is one that "back" undoes, a `quiet` one only changes the
 * address, and `address` means that it came from there. With `leaving` it is as it was, and another page was
 * asked for.
 */
export type ViewChange = 'step' | 'quiet' | 'address' | 'leaving';
export type ViewListener = (view: ViewState, change: ViewChange, before: ViewState) => void;

/** All of a view but where the map looks: what a page shows of it. */
export type ChosenView = Omit<ViewState, 'place'>;

export interface ViewStore {
  read: () => ViewState;
  /** The same object for as long as only the map moves. */
  readChosen: () => ChosenView;
  change: (patch: Partial<ViewState>, change: 'step' | 'quiet') => void;
  /** Takes the view that an address asks for. */
  adopt: (view: ViewState) => void;
  /** Whether the view is one with the address: false before it was read, and on pages that keep none. */
  isAdopted: () => boolean;
  leaveAddress: () => void;
  /** Says that another page was asked for, before it is. */
  leave: () => void;
  subscribe: (listener: ViewListener) => () => void;
}

const CHOSEN = Object.keys(EVERYTHING).filter((name) => name !== 'place') as (keyof ChosenView)[];

const isOnlyMoved = (before: ViewState, next: ViewState): boolean =>
  CHOSEN.every((name) => before[name] === next[name]);

/** What of the fleet is looked at. It outlives the map page, so that one comes back to what one left. */
export const createViewStore = (): ViewStore => {
  const listeners = new Set<ViewListener>();
  let view = EVERYTHING;
  let chosen: ChosenView = view;
  let adopted = false;

  const become = (next: ViewState, change: ViewChange): void => {
    const before = view;
    view = next;
    if (!isOnlyMoved(before, next)) chosen = next;
    for (const listener of listeners) listener(view, change, before);
  };

  return {
    read: () => view,
    readChosen: () => chosen,
    change: (patch, change) => become({ ...view, ...patch }, change),
    adopt: (next) => {
      adopted = true;
      become(next, 'address');
    },
    isAdopted: () => adopted,
    leaveAddress: () => {
      adopted = false;
    },
    leave: () => become(view, 'leaving'),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
