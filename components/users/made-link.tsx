'use client';

import { ShownOnce } from '@/components/ui/shown-once';
import { useNowMs } from '@/components/ui/use-now';
import { expiryWords } from '@/lib/users/text';
import type { MadeLink } from '@/lib/users/schema';

const MAIL_WORDS: Record<MadeLink['mail'], (email: string) => string> = {
  sent: (email) => `It is on its way to ${email} by mail. You can also hand it over yourself.`,
  failed: (email) => `The mail to ${email} could not be sent: hand the link over yourself.`,
  none: (email) => `Hand it to ${email} yourself, in a way that no one else can read.`,
};

/** A link that is shown this once. */
export const MadeLinkView = ({ made, onClose }: { made: MadeLink; onClose: () => void }) => {
  const nowMs = useNowMs();
  return (
    <ShownOnce
      texts={[{ label: 'link', text: new URL(made.link, window.location.origin).href }]}
      onClose={onClose}
    >
      This link can be used once, {expiryWords(made.expiresAtMs, nowMs)}. It is not shown again.{' '}
      {MAIL_WORDS[made.mail](made.email)}
    </ShownOnce>
  );
};
