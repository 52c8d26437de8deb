import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { auditAnswerSchema } from './schema';
import type { AuditFilterInput } from './schema';
import { fetchJson } from '../browser/fetch-json';

const toQuery = (fields: AuditFilterInput & { beforeId?: number | undefined }): string => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
};

/** Where the lines that fit a filter are had as a file. */
export const toAuditCsvUrl = (filter: AuditFilterInput): string => `/api/audit/csv${toQuery(filter)}`;

/** The log is read once; one that could not be is asked for again. */
const ASK_AGAIN_MS = 5000;

const auditOptions = (filter: AuditFilterInput) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      fetchJson(`/api/audit${toQuery({ ...filter, beforeId: pageParam })}`, auditAnswerSchema, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ lines, hasMore }) => (hasMore ? lines.at(-1)?.id : undefined),
    // What was shown stays until the lines of another filter are there.
    placeholderData: (before) => before,
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' ? ASK_AGAIN_MS : false),
  });

/** The audit log, the newest lines first. */
export const useAudit = (filter: AuditFilterInput) => useInfiniteQuery(auditOptions(filter));
