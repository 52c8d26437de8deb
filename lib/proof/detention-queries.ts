import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import {
  allTermsShape,
  billableStaysShape,
  previewShape,
  statementsShape,
  type BillableList,
  type Dismissal,
  type StatementInput,
  type StayRef,
} from './detention';
import { issuedShape } from './schema';
import type { KeptTermsInput } from './terms';

const detentionUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/detention`;
/** Documents are read again too: a statement is one. */
const proofKey = (usdot: string) => ['fleets', usdot, 'proof'];
const detentionKey = (usdot: string) => [...proofKey(usdot), 'detention'];

export const useTerms = (usdot: string) =>
  useQuery({
    queryKey: [...detentionKey(usdot), 'terms'],
    queryFn: ({ signal }) => fetchJson(`${detentionUrl(usdot)}/terms`, allTermsShape, { signal }),
    select: ({ terms }) => terms,
  });

export const useTermsChange = (usdot: string) =>
  useChange(detentionKey(usdot), (input: KeptTermsInput) =>
    sendJson('PUT', `${detentionUrl(usdot)}/terms`, input),
  );

/** What a statement about a stay would say now. It is read for one dialog: no change of other lists reads it again. */
export const usePreview = (usdot: string, stay: StayRef) =>
  useQuery({
    queryKey: ['fleets', usdot, 'statement-preview', stay],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams(
        Object.entries(stay).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])),
      );
      return fetchJson(`${detentionUrl(usdot)}/preview?${query}`, previewShape, { signal });
    },
    staleTime: 0,
    gcTime: 0,
  });

export const useIssue = (usdot: string) =>
  useChange(proofKey(usdot), (input: StatementInput) =>
    exchangeJson('POST', `${detentionUrl(usdot)}/statements`, input, issuedShape),
  );

export const useBillable = (usdot: string, list: BillableList) =>
  useQuery({
    queryKey: [...detentionKey(usdot), 'billable', list],
    queryFn: ({ signal }) =>
      fetchJson(`${detentionUrl(usdot)}/billable?list=${list}`, billableStaysShape, { signal }),
  });

export const useDismissal = (usdot: string) =>
  useChange([...detentionKey(usdot), 'billable'], (input: Dismissal) =>
    sendJson('PUT', `${detentionUrl(usdot)}/dismissals`, input),
  );

export const useStatements = (usdot: string, month: string) =>
  useQuery({
    queryKey: [...detentionKey(usdot), 'statements', month],
    queryFn: ({ signal }) =>
      fetchJson(`${detentionUrl(usdot)}/statements?month=${month}`, statementsShape, { signal }),
    select: ({ statements }) => statements,
  });
