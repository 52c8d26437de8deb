/** What tells whether a page may be loaded anew without anybody missing anything. */
export interface Surroundings {
  /** Nobody sees the page. */
  isHidden: boolean;
  /** Something is open or chosen that the address does not hold. */
  isHolding: boolean;
  /** The caret stands in a field. */
  isTyping: boolean;
  /** Since somebody last touched it, in ms. */
  idleMs: number;
}

const HIDDEN_QUIET_MS = 10_000;
/** On a wall nobody touches it all day; at a desk this is a break. */
const SEEN_QUIET_MS = 5 * 60_000;

/** Whether this is a moment at which a reload takes nothing away and startles nobody. */
export const isQuietMoment = ({ isHidden, isHolding, isTyping, idleMs }: Surroundings): boolean =>
  !isHolding && !isTyping && idleMs >= (isHidden ? HIDDEN_QUIET_MS : SEEN_QUIET_MS);

/** How the loaders of the browsers and of Next.js word it. */
const MISSING =
  /loading (css )?chunk|failed to load chunk|dynamically imported module|importing a module script/i;

/** Whether a page broke because a part of its script could not be loaded: after an update there may be none such. */
export const isMissingPart = (error: { name?: string; message?: string }): boolean =>
  error.name === 'ChunkLoadError' || MISSING.test(error.message ?? '');
