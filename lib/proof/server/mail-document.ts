import 'server-only';
import type { ActionContext } from '@/lib/audit/audit';
import { AppError } from '@/lib/base/http/problems';
import { createKeyLimit, createTooManyAttempts } from '@/lib/base/rate-limits';
import { toMailProblem } from '@/lib/jobs/mailer';
import { loadBasemap } from '@/lib/shares/server/page/ground';
import { KIND_LABELS } from '../text';
import {
  readDocument,
  requireSeenDocument,
  toFileName,
  type ProofServer,
  type StoredDocument,
} from './documents';
import { toPdf } from './pdf/pdf';

type MailContext = ActionContext & {
  proof: Pick<ProofServer, 'sendMail'>;
  env: { publicUrl: string | null };
};

/** Mails with documents that a user may send in an hour. */
const ofUser = createKeyLimit({ points: 60, durationS: 3600 });

const toMail = ({ content, isShownByNumber }: StoredDocument, publicUrl: string | null) => {
  const { kind, number, revision, issuer } = content;
  const at = (path: string): string | null => (publicUrl === null ? null : new URL(path, publicUrl).href);
  const [page, check] = [at(`/d/${number}`), at('/verify')];
  return {
    subject: `${KIND_LABELS[kind]} ${number} of ${issuer.carrier}`,
    text: [
      `${issuer.carrier} (USDOT ${issuer.usdot}) sends you ${KIND_LABELS[kind].toLowerCase()} ${number}, revision ${revision}. It is the PDF with this mail.`,
      ...(isShownByNumber && page !== null ? [`You can open it here as well: ${page}`] : []),
      ...(check === null
        ? []
        : [
            `To check that it is genuine and unchanged, drop the PDF on this page: ${check}\nYou need no account.`,
          ]),
    ].join('\n\n'),
  };
};

/**
 * Sends the newest revision of a document as PDF to an address.
 *
 * @throws AppError 'no-mail', 'unknown-document', 'too-many-attempts', 'mail-not-sent'
 */
export const mailDocument = async (
  context: MailContext,
  usdot: string,
  number: string,
  { address }: { address: string },
): Promise<void> => {
  const { database, viewer, proof, env, audit, client } = context;
  if (proof.sendMail === null) throw new AppError('no-mail');
  const { orm } = await database.open();
  const document = await readDocument(orm, number);
  if (document?.usdot !== usdot) throw new AppError('unknown-document');
  await requireSeenDocument(context, usdot, document.unit);
  const waitS = await ofUser.take(viewer.id ?? viewer.kind);
  if (waitS > 0) throw createTooManyAttempts(waitS);
  const verifyUrl = env.publicUrl === null ? null : new URL('/verify', env.publicUrl).href;
  const bytes = await toPdf(await loadBasemap(), document, { paper: 'letter', verifyUrl });
  // Written first: a mail without a record is worse than a record of one that was refused.
  const details = { usdot, revision: document.revision, to: address };
  await audit.record({ by: viewer, action: 'proof.mail', subject: number, address: client.address, details });
  try {
    const pdf = { fileName: toFileName(document, 'pdf'), bytes };
    await proof.sendMail({ to: address, ...toMail(document, env.publicUrl), pdf });
  } catch (error) {
    throw new AppError('mail-not-sent', { detail: toMailProblem(error).reason });
  }
};
