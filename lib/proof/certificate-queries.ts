import { useChange } from '@/lib/browser/change';
import { exchangeJson } from '@/lib/browser/fetch-json';
import type { CertificateInput } from './certificate';
import { documentsKey } from './queries';
import { issuedShape } from './schema';

/** Issues a position certificate, and returns its number. @throws ServerUnreachableError, ServerProblemError */
export const useIssueCertificate = (usdot: string) =>
  useChange(documentsKey(usdot), (input: CertificateInput) =>
    exchangeJson('POST', `/api/fleets/${encodeURIComponent(usdot)}/certificates`, input, issuedShape),
  );
