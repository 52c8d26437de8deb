import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  /** The message as sent, with its headers. */
  text: string;
  /** The user name of the SMTP sign-in; undefined without a sign-in. */
  user: string | undefined;
}

export const MAIL_PASSWORD = 'pass word';

/** A mail server that stores the messages that it receives. */
export const startMailServer = async () => {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === MAIL_PASSWORD ? done(null, { user: username }) : done(new Error('Refused')),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const user = session.user === undefined ? undefined : String(session.user);
        received.push({ to, text: Buffer.concat(parts).toString('utf8'), user });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, received, close };
};
