import type { Role } from '@/lib/auth/viewer';
import type { MadeItem } from './schema';
import { momentWords } from '../view/clock';

export const ROLE_WORDS: Record<Role, string> = { dispatcher: 'Dispatcher', manager: 'Manager' };

/** Which fleets somebody sees: "All fleets", "USDOT 1234567, 7654321", "No fleet". */
export const fleetsWords = (usdots: readonly string[] | null): string => {
  if (usdots === null) return 'All fleets';
  return usdots.length === 0 ? 'No fleet' : `USDOT ${usdots.join(', ')}`;
};

/** USDOT numbers as somebody typed them, with blanks, commas or line breaks between. */
export const splitUsdots = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');

/** "until Nov 28, 14:03", "expired Nov 20, 14:03", in a zone (an IANA name; the viewer's own when left out). */
export const expiryWords = (expiresAtMs: number, nowMs: number, zone?: string): string =>
  `${expiresAtMs > nowMs ? 'until' : 'expired'} ${momentWords(expiresAtMs, nowMs, zone)}`;

const MADE_KINDS: Record<MadeItem['kind'], string> = {
  'wall-screen': 'Wall screen',
  'api-key': 'API key',
  'ingest-token': 'Ingest token',
};

/** "API key “TMS”, USDOT 1234567", and where only its replaced secrets are meant: "…: the secrets it had before". */
export const madeItemText = ({ kind, name, usdots, isReplacedPair }: MadeItem): string =>
  `${MADE_KINDS[kind]} “${name}”, ${usdots === null ? 'all fleets' : fleetsWords(usdots)}${isReplacedPair ? ': the secrets it had before' : ''}`;
