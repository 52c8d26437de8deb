import { useQuery } from '@tanstack/react-query';
import { flag, list, object, oneOf, text } from '@/lib/base/shape';
import { fetchJson } from '@/lib/browser/fetch-json';
import { loadsUrl } from './answers';
import { MAIL_LANGUAGES, MAIL_SUBJECTS } from './mails';
import { loadsKey } from './queries';

const mailsShape = object({
  ...{ addresses: list(text), about: list(oneOf(MAIL_SUBJECTS)), language: oneOf(MAIL_LANGUAGES) },
  ...{ ended: list(text), canMail: flag },
});

/** The mails to the customer of a load; of a new one with the id 0. */
export const useLoadMails = (usdot: string, id: number) =>
  useQuery({
    queryKey: [...loadsKey(usdot), id, 'mails'],
    queryFn: ({ signal }) => fetchJson(`${loadsUrl(usdot)}/${id}/mails`, mailsShape, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
