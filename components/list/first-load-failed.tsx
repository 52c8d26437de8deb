import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { useTryNow } from '@/lib/live/try-now';
import { ListMessage } from './list-message';

interface FirstLoadFailedProps {
  sentence: string;
  /** Polls our server again. */
  onRefresh: () => void;
}

/** Why there is no data yet; its button ends the server's wait, or polls a server that did not answer. */
export const FirstLoadFailed = ({ sentence, onRefresh }: FirstLoadFailedProps) => {
  const { mutate: tryNow, error } = useTryNow(useUsdot());
  const canEndWait = useReading().failure === null;
  return (
    <ListMessage
      head="No data yet"
      action={{ label: 'Try now', onPress: canEndWait ? () => tryNow(null) : onRefresh }}
    >
      <p>{sentence}</p>
      {canEndWait && error !== null ? <p role="alert">{error.message}</p> : null}
    </ListMessage>
  );
};
