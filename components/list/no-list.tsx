import type { ReactNode } from 'react';
import {
  useFreshness,
  useReading,
  useUsdot,
  useView,
  useViewActions,
} from '@/components/fleet-state/fleet-context';
import { usePast } from '@/components/fleet-state/past';
import { useRefreshLiveFleet } from '@/lib/live/live';
import { useTryNow } from '@/lib/live/try-now';
import { isNarrowed } from '@/lib/view/filter';
import { formatWhole } from '@/lib/view/format';
import styles from './list-pane.module.css';

/** Why there is no list, in its place, and what can be done about it. */
export const NoList = ({ isShown, ...props }: NoRowsProps & { isShown: boolean }) => {
  const { fleet, past } = useReading();
  if (!isShown) return null;
  if (fleet !== null && fleet.feed.fetchedAtMs !== null) return <NoRows {...props} />;
  return past === null ? <FirstLoadFailed /> : <NoPast />;
};

const NoPast = () => {
  const { showPast } = useViewActions();
  const isFailed = usePast()?.state.problem?.kind === 'failed';
  return (
    <ListMessage
      head={isFailed ? 'Not loaded' : 'Nothing recorded'}
      action={{ label: 'Back to live', onPress: () => showPast(null, 'step') }}
    >
      <p>{isFailed ? 'This moment could not be loaded.' : 'There is no recording of this moment.'}</p>
    </ListMessage>
  );
};

/** Its button ends the server's wait, or polls a server that did not answer. */
const FirstLoadFailed = () => {
  const { sentence } = useFreshness();
  const refresh = useRefreshLiveFleet(useUsdot());
  const { mutate: tryNow, error } = useTryNow(useUsdot());
  const canEndWait = useReading().failure === null;
  return (
    <ListMessage
      head="No data yet"
      action={{ label: 'Try now', onPress: canEndWait ? () => tryNow(null) : refresh }}
    >
      <p>{sentence}</p>
      {canEndWait && error !== null ? <p role="alert">{error.message}</p> : null}
    </ListMessage>
  );
};

interface NoRowsProps {
  isFleetEmpty: boolean;
  /** Units that pass filter and search. */
  matched: number;
}

const NoRows = ({ isFleetEmpty, matched }: NoRowsProps) => {
  const usdot = useUsdot();
  const view = useView();
  const { showAll, showInView, search } = useViewActions();
  const { past } = useReading();
  if (isFleetEmpty) {
    return (
      <ListMessage head="No active trucks">
        <p>
          No truck of USDOT {usdot} {past === null ? 'is active now' : 'was active at this moment'}.
        </p>
        {past === null ? <p>Trucks appear here by themselves as soon as they report.</p> : null}
      </ListMessage>
    );
  }
  if (matched > 0) {
    return (
      <ListMessage head="No trucks in view" action={{ label: 'List all', onPress: () => showInView(false) }}>
        <p>
          {matched === 1 ? 'The one truck is not' : `None of the ${formatWhole(matched)} trucks is`} on this
          part of the map.
        </p>
      </ListMessage>
    );
  }
  const query = view.query.trim();
  const isFiltered = isNarrowed(view);
  const all = { label: 'Show all trucks', onPress: showAll };
  if (query === '') {
    return (
      <ListMessage head="None of these now" action={all}>
        <p>No truck has any of the chosen statuses, flags or tags.</p>
      </ListMessage>
    );
  }
  return (
    <ListMessage
      head="Nothing found"
      action={isFiltered ? all : { label: 'Clear search', onPress: () => search('') }}
    >
      <p>
        No truck matches “{query}”{isFiltered ? ' among the chosen statuses' : ''}.
      </p>
      <p>Searched: truck number, VIN, plate, make, model, year, device, site, notes, tags, contacts.</p>
    </ListMessage>
  );
};

interface ListMessageProps {
  head: string;
  children: ReactNode;
  action?: { label: string; onPress: () => void };
}

/** Why there is no list, in its place, and what can be done about it. */
const ListMessage = ({ head, children, action }: ListMessageProps) => (
  <div className={styles.message}>
    <h2>{head}</h2>
    {children}
    {action ? (
      <button type="button" className="lh-action" onClick={action.onPress}>
        {action.label}
      </button>
    ) : null}
  </div>
);
