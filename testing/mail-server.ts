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

/** What a mail server answers instead of taking a message. */
export interface MailRefusal {
  at: 'recipient' | 'message';
  status: number;
  text: string;
}

const toError = ({ status, text }: MailRefusal): Error =>
  Object.assign(new Error(text), { responseCode: status });

/** A mail server that stores the messages that it receives, until a test makes it refuse them. */
export const startMailServer = async () => {
  const received: ReceivedMail[] = [];
  let refusal: MailRefusal | null = null;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === MAIL_PASSWORD ? done(null, { user: username }) : done(new Error('Refused')),
    onRcptTo: (_address, _session, done) => done(refusal?.at === 'recipient' ? toError(refusal) : null),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (refusal !== null) return done(toError(refusal));
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
  const refuse = (next: MailRefusal | null): void => void (refusal = next);
  return { port, received, refuse, close };
};
