import { number, object, text } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { exchangeJson } from '@/lib/browser/fetch-json';
import type { CertificateInput } from './certificate';
import { documentsKey } from './queries';

const issuedShape = object({ number: text, revision: number });

/** Issues a position certificate, and returns its number. @throws ServerUnreachableError, ServerProblemError */
export const useIssueCertificate = (usdot: string) =>
  useChange(documentsKey(usdot), (input: CertificateInput) =>
    exchangeJson('POST', `/api/fleets/${encodeURIComponent(usdot)}/certificates`, input, issuedShape),
  );
