import 'server-only';
import { createHmac } from 'node:crypto';
import { RESP_TYPES, createClient } from '@redis/client';
import { repeat, type Clock } from '@/lib/base/clock';
import { Listeners } from '@/lib/base/listeners';
import {
  KEY_PREFIX,
  parseMessage,
  toMessageText,
  type SharedChange,
  type Envelope,
  type Message,
} from './messages';

export interface ConnectionOptions {
  url: string;
  /** The secret of all servers, which hashes what the keys of limits are about. */
  secret: string;
  clock: Clock;
  log: Record<'warn' | 'info', (fields: object, message: string) => void>;
}

/** Redis cannot be reached, or does not answer in time. */
export class RedisAwayError extends Error {
  override name = 'RedisAwayError';
}

const ECHO_EVERY_MS = 1000;
/** Without an echo for this long, messages may have been missed. */
const SILENT_MS = 3000;
const COMMAND_MS = 1500;
const CONNECT_MS = 2000;
const RECONNECT_MS = 250;
/** Changes that wait while Redis is away; the oldest is dropped for one more. */
const MAX_UNSENT = 1000;

/** 132 bits. */
const KEY_CHARACTERS = 22;

const TO_ALL = `${KEY_PREFIX}all`;
const toChannel = (member: string): string => `${KEY_PREFIX}member:${member}`;

const createClients = (url: string) => {
  const options = {
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: () => RECONNECT_MS },
  };
  return { commands: createClient(options), subscriber: createClient(options) };
};
type Clients = ReturnType<typeof createClients>;

const createLimits = (
  secret: string,
  isReady: () => boolean,
  run: <T>(command: (clients: Clients) => Promise<T>) => Promise<T>,
) => ({
  get isReady() {
    return isReady();
  },
  prefix: KEY_PREFIX,
  toKey: (text: string) =>
    createHmac('sha256', secret)
      .update(`linehaul limit ${text}`)
      .digest('base64url')
      .slice(0, KEY_CHARACTERS),
  eval: (script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> =>
    run(({ commands }) => commands.eval(script, options)),
  del: (key: string): Promise<number> => run(({ commands }) => commands.del(key)),
});

/** This process's connection to Redis, made again whenever it is lost or silent; meanwhile commands fail at once. */
export class ClusterConnection {
  readonly #options: ConnectionOptions;
  readonly #id = crypto.randomUUID();
  readonly #messages = new Listeners<[Envelope]>();
  readonly #returns = new Listeners();
  /** The names under which messages are received, besides those to all. */
  readonly #members = new Map<string, (envelope: Envelope) => void>();
  readonly #unsent: SharedChange[] = [];
  #clients: Clients | null = null;
  /** Monotonic ms. */
  #openedAtMs = 0;
  #echoAtMs = -Infinity;
  /** When the echoes were sent that have not returned, monotonic ms. */
  #echoesSentAtMs: number[] = [];
  #echoMs: number | null = null;
  #startedAtMs = 0;
  /** Messages may have been missed since the last echo. */
  #hasGap = true;
  #isAway = false;
  #stopEchoes: (() => void) | null = null;
  #isClosed = false;

  /** For the counters of limits; each call: @throws RedisAwayError */
  readonly limits: ReturnType<typeof createLimits>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.limits = createLimits(
      options.secret,
      () => this.#clients?.commands.isReady === true,
      (command) => this.#run(command),
    );
  }

  /** Calls the listener with each message to all servers, also with this server's own. */
  readonly listen = this.#messages.add;
  /** Calls the listener whenever messages arrive again, of which some may have been missed. */
  readonly onReturn = this.#returns.add;

  open(): void {
    this.#startedAtMs = this.#options.clock.monotonicMs();
    this.#connect();
    this.#stopEchoes = repeat(this.#options.clock, ECHO_EVERY_MS, () => this.#tick());
  }

  /** Whether every message of another server arrives. */
  isFollowing(): boolean {
    return !this.#hasGap && this.#options.clock.monotonicMs() - this.#echoAtMs < SILENT_MS;
  }

  /** For how long messages have not arrived here, ms; null: they do. */
  readAwayMs(): number | null {
    if (this.isFollowing()) return null;
    return Math.round(this.#options.clock.monotonicMs() - Math.max(this.#echoAtMs, this.#startedAtMs));
  }

  /** How long the newest echo took to return, or has taken so far, ms; null before the first. */
  readEchoMs(): number | null {
    const [sentAtMs] = this.#echoesSentAtMs;
    if (this.#echoMs === null) return null;
    const takenMs = sentAtMs === undefined ? 0 : this.#options.clock.monotonicMs() - sentAtMs;
    return Math.round(Math.max(this.#echoMs, takenMs));
  }

  /** Receives the messages to one member too. */
  join(member: string, receive: (envelope: Envelope) => void): void {
    this.#members.set(member, receive);
    void this.#clients?.subscriber.subscribe(toChannel(member), this.#receiver(receive)).catch(() => {
      // The next connection subscribes to it.
      this.#hasGap = true;
    });
  }

  leave(member: string): void {
    this.#members.delete(member);
    this.#clients?.subscriber.unsubscribe(toChannel(member)).catch((error: unknown) => this.#noteAway(error));
  }

  /** Runs a Lua script. @throws RedisAwayError */
  eval(script: string, keys: string[], args: (string | Buffer)[]): Promise<unknown> {
    return this.#run(({ commands }) => commands.eval(script, { keys, arguments: args }));
  }

  /** @throws RedisAwayError */
  readBytes(key: string): Promise<Buffer | null> {
    return this.#run(({ commands }) =>
      commands.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }).get(key),
    );
  }

  /** Sends a message to all servers; it is lost while Redis is away. */
  async publish(message: Message): Promise<void> {
    await this.#publish(message).catch((error: unknown) => this.#noteAway(error));
  }

  /** Sends a change to all servers, once Redis answers again where it is away. */
  async announce(change: SharedChange): Promise<void> {
    try {
      await this.#publish(change);
    } catch (error) {
      this.#noteAway(error);
      this.#unsent.push(change);
      if (this.#unsent.length > MAX_UNSENT) this.#unsent.shift();
    }
  }

  /** Sends a message from one member to another; false where that does not listen. @throws RedisAwayError */
  async send(from: string, to: string, message: Message): Promise<boolean> {
    const received = await this.#run(({ commands }) =>
      commands.publish(toChannel(to), toMessageText(from, message)),
    );
    return received > 0;
  }

  isOwn({ from }: Envelope): boolean {
    return from === this.#id;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopEchoes?.();
    this.#disconnect();
  }

  #receiver(receive: (envelope: Envelope) => void): (received: string) => void {
    return (received) => {
      const envelope = parseMessage(received);
      if (envelope !== null) receive(envelope);
    };
  }

  #connect(): void {
    const clients = createClients(this.#options.url);
    this.#clients = clients;
    this.#echoesSentAtMs = [];
    this.#openedAtMs = this.#options.clock.monotonicMs();
    for (const client of [clients.commands, clients.subscriber])
      client.on('error', (error: unknown) => this.#noteAway(error));
    clients.subscriber.on('reconnecting', () => (this.#hasGap = true));
    void this.#subscribe(clients).catch((error: unknown) => this.#noteAway(error));
    clients.commands.connect().catch((error: unknown) => this.#noteAway(error));
  }

  async #subscribe({ subscriber }: Clients): Promise<void> {
    await subscriber.connect();
    await subscriber.subscribe(
      TO_ALL,
      this.#receiver((envelope) => this.#receive(envelope)),
    );
    for (const [member, receive] of this.#members)
      await subscriber.subscribe(toChannel(member), this.#receiver(receive));
  }

  #disconnect(): void {
    for (const client of [this.#clients?.commands, this.#clients?.subscriber])
      if (client?.isOpen) client.destroy();
    this.#clients = null;
  }

  #receive(envelope: Envelope): void {
    if (envelope.message.kind !== 'echo') return this.#messages.notify(envelope);
    if (!this.isOwn(envelope)) return;
    const isReturn = !this.isFollowing();
    this.#echoAtMs = this.#options.clock.monotonicMs();
    this.#echoMs = this.#echoAtMs - (this.#echoesSentAtMs.shift() ?? this.#echoAtMs);
    this.#hasGap = false;
    if (!isReturn) return;
    if (this.#isAway) this.#options.log.warn({}, 'Redis answers again.');
    this.#isAway = false;
    for (const change of this.#unsent.splice(0)) void this.announce(change);
    this.#returns.notify();
  }

  /** Sends the echo, and makes the connection again where it is silent: a cut network keeps it open. */
  #tick(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const isSilent = nowMs - Math.max(this.#echoAtMs, this.#openedAtMs) >= SILENT_MS;
    if (isSilent) {
      this.#noteAway(new RedisAwayError('No message has returned.'));
      this.#hasGap = true;
      this.#disconnect();
      this.#connect();
    }
    void this.#sendEcho();
  }

  async #sendEcho(): Promise<void> {
    const sentAtMs = this.#options.clock.monotonicMs();
    this.#echoesSentAtMs.push(sentAtMs);
    try {
      await this.#publish({ kind: 'echo' });
    } catch (error) {
      this.#echoesSentAtMs = this.#echoesSentAtMs.filter((each) => each !== sentAtMs);
      this.#noteAway(error);
    }
  }

  #publish(message: Message): Promise<number> {
    return this.#run(({ commands }) => commands.publish(TO_ALL, toMessageText(this.#id, message)));
  }

  async #run<T>(command: (clients: Clients) => Promise<T>): Promise<T> {
    const clients = this.#clients;
    if (clients === null || !clients.commands.isReady) throw new RedisAwayError('Redis is not connected.');
    let cancel = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new RedisAwayError(`Redis did not answer within ${COMMAND_MS} ms.`);
      cancel = this.#options.clock.setTimer(() => reject(error), COMMAND_MS);
    });
    try {
      return await Promise.race([command(clients), late]);
    } catch (error) {
      if (error instanceof RedisAwayError) throw error;
      throw new RedisAwayError('A command of Redis failed.', { cause: error });
    } finally {
      cancel();
    }
  }

  #noteAway(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    this.#options.log.warn({ reason: String(cause) }, 'Redis is away: this server goes on with what it has.');
  }
}
