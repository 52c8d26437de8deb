import { useQuery } from '@tanstack/react-query';
import { flag, list, nullable, number, object, oneOf, text, type Shape } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { fetchJson, PERSISTENT, sendJson } from '@/lib/browser/fetch-json';
import { DOCUMENT_KINDS, type DocumentKind } from './content';
import { keySetSchema } from './keys';
import type { DocumentList, DocumentMail, DocumentRow } from './schema';

/** Documents are issued at any time; another user's is on the screen as soon. */
const REFETCH_MS = 15_000;

const rowShape: Shape<DocumentRow> = object({
  number: text,
  revision: number,
  newest: number,
  kind: oneOf<DocumentKind>(DOCUMENT_KINDS),
  unit: text,
  loadId: nullable(number),
  about: text,
  issuedMs: number,
  isShownByNumber: flag,
  madeBy: text,
});
const documentsShape: Shape<DocumentList> = object({ documents: list(rowShape), canMail: flag });

const documentsUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/proof`;
export const documentsKey = (usdot: string) => ['fleets', usdot, 'proof'];

/** The documents of a fleet, each by its newest revision, the newest first. */
export const useDocuments = (usdot: string) =>
  useQuery({
    queryKey: documentsKey(usdot),
    queryFn: ({ signal }) => fetchJson(documentsUrl(usdot), documentsShape, { signal }),
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });

/** Changes whether a document is shown by its number alone. @throws ServerUnreachableError, ServerProblemError */
export const useDocumentChange = (usdot: string) =>
  useChange(
    documentsKey(usdot),
    ({ number: of, isShownByNumber }: { number: string; isShownByNumber: boolean }) =>
      sendJson('PUT', `${documentsUrl(usdot)}/${of}`, { isShownByNumber }),
  );

/** Sends a document as PDF. @throws ServerUnreachableError, ServerProblemError */
export const mailDocument = (usdot: string, of: string, mail: DocumentMail): Promise<Response> =>
  sendJson('POST', `${documentsUrl(usdot)}/${of}/mail`, mail);

const KEYS = ['proof-keys'];

/** The keys that sign documents, the oldest first. */
export const useSigningKeys = () =>
  useQuery({
    queryKey: KEYS,
    queryFn: async ({ signal }) => (await fetchJson('/api/proof-keys', keySetSchema, { signal })).keys,
    refetchInterval: REFETCH_MS,
    retry: false,
  });

/** Changes of the keys that sign documents. @throws ServerUnreachableError, ServerProblemError */
export const useSigningKeyChanges = () => ({
  rotate: useChange(KEYS, () => sendJson('POST', '/api/proof-keys', {})),
  revoke: useChange(KEYS, (kid: string) => sendJson('DELETE', `/api/proof-keys/${kid}`, {})),
});
