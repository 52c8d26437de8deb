import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import type { UnitContact } from '@/lib/view/marks';
import type { ContactParts } from './contact-table';
import { contactsSchema } from './schema';

/** How soon another person's change is seen. */
const REFETCH_MS = 60_000;

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/contacts`;
const toKey = (usdot: string) => ['fleets', usdot, 'contacts'];

/** The contacts of a fleet; nothing is requested unless `isWanted`. */
export const useContacts = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: toKey(usdot),
    queryFn: ({ signal }) => fetchJson(toUrl(usdot), contactsSchema, { signal }),
    enabled: isWanted,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    ...PERSISTENT,
  });

/** Finds whom to call about a unit of a fleet by its key, also outside the fleet's pages; null where that is not known. */
export const useContactOf = (usdot: string, isWanted = true): ((unit: string) => UnitContact | null) => {
  const contacts = useContacts(usdot, isWanted).data?.contacts;
  return useMemo(() => {
    const byUnit = new Map(contacts?.map((contact) => [contact.unit, contact]));
    return (unit) => byUnit.get(unit) ?? null;
  }, [contacts]);
};

/** Imports contacts, all or none, and resolves once they are read again. @throws as useChangeContact does */
export const useImportContacts = (usdot: string) =>
  useChange(toKey(usdot), (contacts: readonly ContactParts[]) =>
    sendJson('POST', `${toUrl(usdot)}/import`, { contacts }),
  );

/** Changes whom to call about a unit, and resolves once contacts are read again. @throws ServerUnreachableError, ServerProblemError */
export const useChangeContact = (usdot: string) =>
  useChange(toKey(usdot), (contact: UnitContact) => sendJson('PUT', toUrl(usdot), contact));
