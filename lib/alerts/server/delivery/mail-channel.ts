import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { Executor } from '@/lib/database/database';
import { groupBy } from '@/lib/base/maps';
import { readContactsOf } from '@/lib/contacts/server/contacts';
import { contactText } from '@/lib/contacts/text';
import type { UnitContact } from '@/lib/view/marks';
import { toMailProblem, type Mail, type SendMail } from '@/lib/jobs/mailer';
import { isWithinHours } from '@/lib/rules/hours';
import { SEVERITY_LABELS } from '../../text';
import {
  UndeliverableError,
  type Delivery,
  type SendDeliveries,
  listLines,
  toAlertUrl,
  toSentence,
  type ToZone,
  readReader,
  requireSeen,
} from './delivery';
import type { ToQuietMs } from './deliveries';
import { HOUR_MS } from '@/lib/base/time';

/** How soon a digest that came in quiet hours is tried again. */
const QUIET_MS = HOUR_MS;

interface MailOptions {
  orm: () => Executor;
  /** Null if no mail server is configured. */
  sendMail: SendMail | null;
  publicUrl: string | null;
  toZone: ToZone;
  clock: Pick<Clock, 'nowMs'>;
}

const toMail = (
  deliveries: readonly Delivery[],
  sentences: readonly string[],
  contacts: readonly string[],
  { to, publicUrl }: { to: string; publicUrl: string | null },
): Mail => {
  const [first] = deliveries;
  const { severity, ruleName } = first!.alert;
  const isOne = deliveries.length === 1;
  const lines = deliveries.map((delivery, i) =>
    [
      `${SEVERITY_LABELS[delivery.alert.severity]}: ${sentences[i]}`,
      ...(contacts[i] === '' ? [] : [contacts[i]]),
      toAlertUrl(publicUrl, delivery),
    ].join('\n'),
  );
  return {
    to,
    subject: isOne ? `${SEVERITY_LABELS[severity]}: ${sentences[0]}` : `${deliveries.length} alerts`,
    text: [
      ...(isOne ? [...lines, `Rule: ${ruleName}. Fleet: USDOT ${first!.usdot}.`] : listLines(lines)),
      `You get this mail because your alert settings say so: ${publicUrl ?? ''}/account`,
    ].join('\n\n'),
    // A mail that is sent again, as after a crash, keeps its id, by which mail programs recognize it.
    messageId: first!.id,
  };
};

/** Whom to call about the truck of each delivery, as a line; empty where that is not known. */
const readContactTexts = async (orm: Executor, deliveries: readonly Delivery[]): Promise<string[]> => {
  const byFleet = new Map<string, ReadonlyMap<string, UnitContact>>();
  for (const [usdot, each] of groupBy(deliveries, (delivery) => delivery.usdot))
    byFleet.set(
      usdot,
      await readContactsOf(
        orm,
        usdot,
        each.map(({ alert }) => alert.unit),
      ),
    );
  return deliveries.map(({ usdot, alert }) => contactText(byFleet.get(usdot)?.get(alert.unit) ?? null));
};

/** Sends deliveries of one user as one mail. */
export const createMailChannel =
  ({ orm, sendMail, publicUrl, toZone, clock }: MailOptions): SendDeliveries =>
  async (deliveries) => {
    if (sendMail === null) throw new UndeliverableError('No mail server is configured.');
    const reader = await readReader(orm(), deliveries[0]!.target);
    const seen = await requireSeen(orm(), reader, deliveries);
    const { email, preferences } = reader!;
    const zone = preferences.quietHours?.timeZone ?? null;
    const sentences = seen.map((each) => toSentence(each, { zone, toZone, nowMs: clock.nowMs() }));
    const contacts = await readContactTexts(orm(), seen);
    await sendMail(toMail(seen, sentences, contacts, { to: email, publicUrl })).catch((error: unknown) => {
      const { isPermanent, reason } = toMailProblem(error);
      throw isPermanent ? new UndeliverableError(reason) : error;
    });
  };

/** A digest waits for the end of quiet hours, unless an alert in it is critical. */
export const createToQuietMs =
  ({ orm, clock }: Pick<MailOptions, 'orm' | 'clock'>): ToQuietMs =>
  async (userId, deliveries) => {
    if (deliveries.some(({ alert }) => alert.severity === 'critical')) return 0;
    const quietHours = (await readReader(orm(), userId))?.preferences.quietHours ?? null;
    return quietHours !== null && isWithinHours(quietHours, clock.nowMs()) ? QUIET_MS : 0;
  };
