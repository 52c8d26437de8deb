import { useInfiniteQuery } from '@tanstack/react-query';
import { auditAnswerSchema, type AuditFilterInput } from '@/lib/audit/schema';
import { fetchJson } from '@/lib/browser/fetch-json';

const toQuery = (fields: AuditFilterInput & { beforeId?: number | undefined }): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
};

export const toAuditCsvUrl = (filter: AuditFilterInput): string => `/api/audit/csv${toQuery(filter)}`;

/** Retry interval after a failed load; a loaded log is not polled. */
const REFETCH_MS = 5000;

export const useAudit = (filter: AuditFilterInput) =>
  useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      fetchJson(`/api/audit${toQuery({ ...filter, beforeId: pageParam })}`, auditAnswerSchema, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ lines, hasMore }) => (hasMore ? lines.at(-1)?.id : undefined),
    // The current entries stay visible until the entries of the new filter arrive.
    placeholderData: (before) => before,
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? REFETCH_MS : false),
  });
