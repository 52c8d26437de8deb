import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import { PendingMessages } from '@/lib/feeds/worker/messages';
import type { ClusterConnection } from './connection';
import type { CallName, Envelope, Message } from './messages';

/** As long as a provider may take to answer an attempt that a user starts, and a little more. */
const ANSWER_WITHIN_MS = 10_000;

type Call = Extract<Message, { kind: 'call' }>;

interface MemberCallsOptions {
  connection: ClusterConnection;
  member: string;
  clock: Clock;
  log: { warn: (fields: object, message: string) => void };
  answer: (call: Call) => Promise<unknown>;
}

const toUnavailable = (message: string): AppError => new AppError('fleet-moving', { message });

/** Questions to the owner of a fleet, which answers them from its feed. */
export class MemberCalls {
  readonly #options: MemberCallsOptions;
  readonly #pending = new PendingMessages<unknown>();

  constructor(options: MemberCallsOptions) {
    this.#options = options;
    const { connection, member } = options;
    connection.join(member, (envelope) => void this.#receive(envelope));
  }

  /** @throws AppError 'fleet-moving' where no owner answers */
  async ask(owner: string | null, usdot: string, name: CallName, args: unknown[]): Promise<unknown> {
    if (owner === null) throw toUnavailable('The fleet has no owner now.');
    const { connection, member, clock } = this.#options;
    let sentId = 0;
    const answer = this.#pending.send((id) => {
      sentId = id;
      const call: Call = { kind: 'call', id, usdot, name, args };
      connection.send(member, owner, call).then(
        (isHeard) => isHeard || this.#pending.reject(id, toUnavailable('The owner of the fleet is gone.')),
        (error: unknown) => this.#pending.reject(id, toUnavailable(String(error))),
      );
    });
    const cancel = clock.setTimer(
      () => this.#pending.reject(sentId, toUnavailable('The owner of the fleet does not answer.')),
      ANSWER_WITHIN_MS,
    );
    return answer.finally(cancel);
  }

  close(): void {
    this.#options.connection.leave(this.#options.member);
    this.#pending.rejectAll(toUnavailable('The server is shutting down.'));
  }

  async #receive({ from, message }: Envelope): Promise<void> {
    if (message.kind === 'result') return this.#pending.resolve(message.id, message.value ?? null);
    if (message.kind === 'failed') return this.#pending.reject(message.id, toUnavailable(message.message));
    if (message.kind !== 'call') return;
    const { connection, member, log, answer } = this.#options;
    const reply: Message = await answer(message).then(
      (value) => ({ kind: 'result', id: message.id, value: value ?? null }),
      (error: unknown) => ({ kind: 'failed', id: message.id, message: String(error) }),
    );
    await connection
      .send(member, from, reply)
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'A server did not get its answer.'));
  }
}
