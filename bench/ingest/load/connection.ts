import { connect } from 'node:net';

/** One keep-alive connection to a server on this machine, for one request at a time. */
export interface Connection {
  /** Sends a whole HTTP/1.1 request; `done` gets the answer's status, or 0 when the connection broke. */
  send(request: string, done: (status: number) => void): void;
  close(): void;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Whether the text holds a whole answer: the acknowledgements of ingest are short and come in one piece. */
const isWhole = (text: string): boolean => {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length !== null) return text.length >= headEnd + HEAD_END.length + Number(length[1]);
  return /\r\ntransfer-encoding: *chunked/i.test(head) ? text.endsWith(LAST_CHUNK) : true;
};

/**
 * Written on the bare socket: the load generator shares two cores with what it measures, and a general HTTP
 * client would take as much of them as the server does.
 */
export const openConnection = (port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let waiting: ((status: number) => void) | null = null;
    let text = '';
    const finish = (status: number): void => {
      const done = waiting;
      waiting = null;
      text = '';
      done?.(status);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text)) finish(Number(text.slice(9, 12)));
    });
    socket.on('error', reject);
    socket.on('close', () => finish(0));
    socket.on('connect', () =>
      resolve({
        send(request, done) {
          if (socket.destroyed) return done(0);
          waiting = done;
          socket.write(request);
        },
        close: () => socket.destroy(),
      }),
    );
  });
