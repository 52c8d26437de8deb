import { toViewSearch, type ViewState } from './view-state';

/** A view as it is saved under a name: without the selected unit, place and moment, which are of now. */
export const toSavedSearch = (view: ViewState): string =>
  toViewSearch({ ...view, unit: null, near: null, isFreeOnly: false, past: null });

/** Whether two views show the same units in the same way, wherever the map is. */
export const isSameView = (a: ViewState, b: ViewState): boolean =>
  toSavedSearch({ ...a, camera: null }) === toSavedSearch({ ...b, camera: null });
