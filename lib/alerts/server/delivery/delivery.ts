import 'server-only';
import type { DeliveryChannel } from '../../schema';
import type { Alert } from '@/lib/rules/alert-rule';

/** A message about an alert that is due. */
export interface Delivery {
  /** Goes with the message, so that a receiver can recognize a repeat. */
  id: string;
  event: 'opened' | 'closed';
  channel: DeliveryChannel;
  /** Id of the user, the browser's subscription or the webhook. */
  target: string;
  /** Attempts so far. */
  attempts: number;
  /** Unix ms. */
  createdMs: number;
  usdot: string;
  alert: Alert;
}

/** Sends deliveries of one target as one message. @throws UndeliverableError; any other error is tried again */
export type SendDeliveries = (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<void>;

/** A message that cannot be delivered, however often it is tried. */
export class UndeliverableError extends Error {
  override name = 'UndeliverableError';
}
