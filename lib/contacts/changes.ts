import { useChange } from '@/lib/browser/change';
import { sendJson } from '@/lib/browser/fetch-json';
import type { UnitContact } from '@/lib/view/marks';
import type { ContactParts } from './contact-table';
import { contactsKey, contactsUrl } from './queries';

/** Imports contacts, all or none, and resolves once they are read again. @throws as useChangeContact does */
export const useImportContacts = (usdot: string) =>
  useChange(contactsKey(usdot), (contacts: readonly ContactParts[]) =>
    sendJson('POST', `${contactsUrl(usdot)}/import`, { contacts }),
  );

/** Changes whom to call about a unit, and resolves once contacts are read again. @throws ServerUnreachableError, ServerProblemError */
export const useChangeContact = (usdot: string) =>
  useChange(contactsKey(usdot), (contact: UnitContact) => sendJson('PUT', contactsUrl(usdot), contact));
