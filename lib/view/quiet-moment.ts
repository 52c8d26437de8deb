/** The facts that decide whether a page can be reloaded without disturbing its user. */
interface Surroundings {
  /** The page is hidden. */
  isHidden: boolean;
  /** The page cannot read what its server answers. */
  isBlind: boolean;
  /** Something is open or chosen that the URL does not hold. */
  isHolding: boolean;
  /** The focus is in a field. */
  isTyping: boolean;
  /** Time since the last user input, in ms. */
  idleMs: number;
}

/** The quiet before a hidden page reloads, or one that shows nothing new until then. */
const HIDDEN_QUIET_MS = 10_000;
/** A wall display is never touched; at a workstation this long without input is a break. */
const SEEN_QUIET_MS = 5 * 60_000;

/** Whether a reload now loses nothing and disturbs no user. */
export const isQuietMoment = ({ isHidden, isBlind, isHolding, isTyping, idleMs }: Surroundings): boolean =>
  !isHolding && !isTyping && idleMs >= (isHidden || isBlind ? HIDDEN_QUIET_MS : SEEN_QUIET_MS);
