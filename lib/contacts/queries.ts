import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import type { UnitContact } from '@/lib/view/marks';
import { contactsSchema } from './schema';

/** How soon another person's change is seen. */
const REFETCH_MS = 60_000;

export const contactsUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/contacts`;
export const contactsKey = (usdot: string) => ['fleets', usdot, 'contacts'];

/** The contacts of a fleet; nothing is requested unless `isWanted`. */
export const useContacts = (usdot: string, isWanted = true) =>
  useQuery({
    queryKey: contactsKey(usdot),
    queryFn: ({ signal }) => fetchJson(contactsUrl(usdot), contactsSchema, { signal }),
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
