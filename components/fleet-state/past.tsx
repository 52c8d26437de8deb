import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { LiveReading } from '@/lib/live/live-reader';
import type { PastPlayer, PastState } from '@/lib/live/past/past-player';
import type { ViewState } from '@/lib/view/view-state';
import { createViewActions, type ViewStore } from './view-store';

interface Past {
  player: PastPlayer;
  state: PastState;
}

export const PastContext = createContext<Past | null>(null);

/** The past that is chosen, once its code is loaded; null while the screen is live. */
export const usePast = (): Past | null => useContext(PastContext);

export const useIsPastNamed = (store: ViewStore): boolean =>
  useSyncExternalStore(
    store.subscribe,
    () => store.read().past !== null,
    () => false,
  );

const subscribeToNothing = () => () => undefined;
const readNothing = () => null;

/** The player of the past, for as long as `isWanted`; null until its code is loaded. */
const usePlayer = (usdot: string, store: ViewStore, isWanted: boolean, skewMs: number) => {
  const [player, setPlayer] = useState<PastPlayer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isLeft = false;
    let created: PastPlayer | null = null;
    const create = async (): Promise<void> => {
      const { createPastPlayer } = await import('@/lib/live/past/past-player');
      const start = store.read().past;
      if (isLeft || start === null) return;
      const { showPast } = createViewActions(store);
      created = createPastPlayer(usdot, {
        start,
        skewMs,
        onMoment: (moment) => showPast(moment, 'quiet'),
      });
      setPlayer(created);
    };
    // Thrown by the render below: the page then offers what helps with missing code.
    create().catch(setFailure);
    return () => {
      isLeft = true;
      created?.stop();
      setPlayer(null);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the past has no polls that change the clocks' difference.
  }, [usdot, store, isWanted]);
  if (failure !== null) throw failure;
  return player;
};

/** The past that the view names; null while it is not wanted, and until its code is loaded. */
export const useChosenPast = (usdot: string, store: ViewStore, isWanted: boolean, skewMs: number) => {
  const player = usePlayer(usdot, store, isWanted, skewMs);
  const state = useSyncExternalStore(
    player?.subscribe ?? subscribeToNothing,
    player?.read ?? readNothing,
    readNothing,
  );
  useEffect(() => {
    const follow = ({ past }: Pick<ViewState, 'past'>): void => {
      if (past !== null) player?.follow(past);
    };
    // Another moment may have been chosen while the player was created.
    follow(store.read());
    return store.subscribe(follow);
  }, [store, player]);
  return useMemo(() => (player === null || state === null ? null : { player, state }), [player, state]);
};

/** The reading of the screen, live or past; the one before is kept until the first of the other kind is there. */
export const useShownReading = (
  live: LiveReading,
  isPast: boolean,
  past: LiveReading | null,
): LiveReading => {
  const [held, setHeld] = useState({ shown: live, live });
  const isReturning = !isPast && held.shown.past !== null && held.live === live;
  const shown = isPast ? (past ?? held.shown) : isReturning ? held.shown : live;
  if (held.shown !== shown || held.live !== live) setHeld({ shown, live });
  return shown;
};
