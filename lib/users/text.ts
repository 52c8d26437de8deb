import type { Role } from '@/lib/base/viewer';
import type { LinkMailState, MadeItem, MadeLink } from './schema';
import { formatMoment } from '../view/format';

export const ROLE_LABELS: Record<Role, string> = { dispatcher: 'Dispatcher', manager: 'Manager' };

/** The fleets in a user's scope: "All fleets", "USDOT 1234567, 7654321", "No fleet". */
export const fleetsText = (usdots: readonly string[] | null): string => {
  if (usdots === null) return 'All fleets';
  return usdots.length === 0 ? 'No fleet' : `USDOT ${usdots.join(', ')}`;
};

/** USDOT numbers in a typed text, separated by spaces, commas, semicolons or line breaks. */
export const splitUsdots = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

/** Tags in a typed text, separated by commas. */
export const splitTags = (text: string): string[] => text.split(',').filter((part) => part.trim() !== '');

/** The units in a limited user's scope: "Only units tagged flatbeds or night shift". */
export const unitsText = (tags: readonly string[]): string => `Only trucks tagged ${tags.join(' or ')}`;

/** "until Nov 28, 2:03 PM", "expired Nov 20, 2:03 PM", in an IANA time zone (the browser's zone if omitted). */
export const expiryText = (expiresAtMs: number, nowMs: number, zone?: string): string =>
  `${expiresAtMs > nowMs ? 'until' : 'expired'} ${formatMoment(expiresAtMs, nowMs, zone)}`;

const MADE_KINDS: Record<MadeItem['kind'], string> = {
  'wall-screen': 'Wall screen',
  'api-key': 'API key',
  'load-key': 'Key for loads',
  'ingest-token': 'Ingest token',
  webhook: 'Webhook',
  'own-rule': 'Alert rule of their own',
  'fleet-rule': 'Alert rule of the fleet',
  'push-subscription': 'Push messages to',
  'handover-mail': 'Mail',
  share: 'Link for',
};

/** "API key “TMS”, USDOT 1234567", or "…: the secrets it had before" if only its replaced secrets are meant. */
export const madeItemText = ({ kind, name, usdots, isReplacedPair }: MadeItem): string => {
  const fleets = usdots === null ? 'all fleets' : fleetsText(usdots);
  return `${MADE_KINDS[kind]} “${name}”${usdots?.length === 0 ? '' : `, ${fleets}`}${isReplacedPair ? ': the secrets it had before' : ''}`;
};

/** The state of the e-mail with a link, for a table: "E-mail failed: 550 User unknown"; null without a mail server. */
export const linkMailText = ({ mail, mailProblem }: LinkMailState): string | null => {
  if (mail === 'none') return null;
  if (mail === 'sent') return 'E-mail sent';
  return mail === 'failed'
    ? `E-mail failed: ${mailProblem}`
    : `E-mail not sent yet, will be tried again: ${mailProblem}`;
};

const PASS_ON = 'Pass the link on yourself';

/** The state of the e-mail with a link that was just made, and what to do about it. */
export const madeMailText = ({ email, mail, mailProblem }: MadeLink): string => {
  switch (mail) {
    case 'sent':
      return `It was e-mailed to ${email}. You can also pass it on yourself.`;
    case 'retrying':
      return `The e-mail to ${email} could not be sent yet (${mailProblem}). It will be tried again for a day. ${PASS_ON} if it is urgent.`;
    case 'failed':
      return `The e-mail to ${email} failed (${mailProblem}). ${PASS_ON}, or check the address.`;
    case 'none':
      return `Pass it on to ${email} yourself, in a way that no one else can read.`;
  }
};
