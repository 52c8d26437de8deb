import 'server-only';
import type { Clock } from '../clock';

/** How often a stream compares its viewer with the stored sessions. */
const CHECK_EVERY_MS = 2000;

interface StreamContext {
  request: Pick<Request, 'signal'>;
  clock: Pick<Clock, 'setTimer'>;
  log: { error: (fields: object, message: string) => void };
  /** Whether the viewer may still have the answer. Never rejects. */
  isAllowed: () => Promise<boolean>;
}

/** The body of an answer, and when all that it needed is free again. */
interface OpenStream {
  body: ReadableStream<Uint8Array>;
  ended: Promise<void>;
}

/** Calls `onLost` once the viewer may not have the answer any more; the returned function ends the watching. */
const watchAccess = ({ isAllowed, clock }: StreamContext, onLost: () => void): (() => void) => {
  let isOver = false;
  let cancel: () => void;
  const schedule = (): void => {
    cancel = clock.setTimer(() => {
      void isAllowed().then((allowed) => {
        if (isOver) return;
        if (allowed) schedule();
        else onLost();
      });
    }, CHECK_EVERY_MS);
  };
  schedule();
  return () => {
    isOver = true;
    cancel();
  };
};

type Piece = string | Uint8Array;

interface Source {
  read: () => Promise<IteratorResult<Piece>>;
  /** Aborted when the stream is to end before its last piece. */
  over: AbortController;
  end: () => Promise<void>;
  log: StreamContext['log'];
}

/** Next.js logs every other error of a body. */
const toReason = (): DOMException => new DOMException('The answer was ended.', 'AbortError');

const toBody = ({ read, over, end, log }: Source): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const onAbort = (): void => {
          controller.error(over.signal.reason);
          void end();
        };
        if (over.signal.aborted) onAbort();
        else over.signal.addEventListener('abort', onAbort);
      },
      pull: async (controller) => {
        try {
          const { done, value } = await read();
          // A stream that has ended takes no piece and cannot be closed.
          if (over.signal.aborted) return;
          if (done !== true)
            return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
          controller.close();
        } catch (error) {
          if (over.signal.aborted) return;
          // The client sees that its answer broke off.
          log.error({ err: error }, 'A streamed answer broke off.');
          controller.error(error);
        }
        await end();
      },
      cancel: async () => {
        over.abort(toReason());
        await end();
      },
    },
    // Each piece is made when the one before was taken, so that the end is reached with the last byte.
    { highWaterMark: 0 },
  );
};

/**
 * Streams what a generator yields, piece by piece as the client reads. The signal is aborted, and the generator returns,
 * when the client leaves or the viewer's access ends. Next.js neither reads nor cancels the body of a client that left before
 * the first piece, so the request is watched too.
 *
 * @throws what fails before the first piece
 */
export const openStream = async (
  context: StreamContext,
  create: (signal: AbortSignal) => AsyncGenerator<Piece>,
): Promise<OpenStream> => {
  const { request, log } = context;
  const over = new AbortController();
  const abort = (): void => over.abort(toReason());
  request.signal.addEventListener('abort', abort);
  if (request.signal.aborted) abort();
  const stopWatching = watchAccess(context, abort);
  const stop = (): void => {
    stopWatching();
    request.signal.removeEventListener('abort', abort);
  };

  const pieces = create(over.signal);
  let first: IteratorResult<Piece> | null;
  try {
    first = await pieces.next();
  } catch (error) {
    stop();
    throw error;
  }
  const read = async (): Promise<IteratorResult<Piece>> => {
    const piece = first ?? (await pieces.next());
    first = null;
    return piece;
  };
  let onEnded!: () => void;
  const ended = new Promise<void>((resolve) => (onEnded = resolve));
  const end = async (): Promise<void> => {
    stop();
    await pieces
      .return(undefined)
      .catch((error: unknown) => log.error({ err: error }, 'A streamed answer could not be ended.'));
    onEnded();
  };
  return { body: toBody({ read, over, end, log }), ended };
};
