import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 if the connection ended without an answer. */
  status: number;
  /** By lower-case name; repeated headers are joined by ", ". */
  headers: Headers;
  body: string;
  isClosed: boolean;
}

const parse = (text: string, isClosed: boolean): RawAnswer => {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers();
  for (const field of fields)
    headers.append(field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1));
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: body.join('\r\n\r\n'), isClosed };
};

/**
 * Sends raw bytes to a port of this machine, which no HTTP client would send, and reads the answer until the
 * server closes the connection, or for `waitMs`.
 */
export const sendRaw = (port: number, text: string, waitMs = 2000): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (isClosed: boolean) => () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parse(received, isClosed));
    };
    const timer = setTimeout(finish(false), waitMs);
    socket
      .on('data', (bytes) => (received += bytes.toString('latin1')))
      .on('error', () => undefined)
      .on('close', finish(true))
      .write(text, 'latin1');
  });
