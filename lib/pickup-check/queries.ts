import { useQuery } from '@tanstack/react-query';
import { flag, nullable, number, object, text } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { loadsUrl } from '@/lib/loads/answers';
import { loadsKey } from '@/lib/loads/queries';

const codeShape = object({ code: text, link: text, madeBy: text, madeMs: number });
const answerShape = object({ code: nullable(codeShape), isOpen: flag });

const codeUrl = (usdot: string, loadId: number): string => `${loadsUrl(usdot)}/${loadId}/pickup-code`;
const codeKey = (usdot: string, loadId: number) => [...loadsKey(usdot), loadId, 'pickup-code'];

/** The pickup code of a load, which is not kept in the browser. */
export const usePickupCode = (usdot: string, loadId: number) =>
  useQuery({
    queryKey: codeKey(usdot, loadId),
    queryFn: ({ signal }) => fetchJson(codeUrl(usdot, loadId), answerShape, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Changes of a load's pickup code, which resolve once it is read again. @throws ServerUnreachableError, ServerProblemError */
export const useCodeChanges = (usdot: string, loadId: number) => ({
  make: useChange(codeKey(usdot, loadId), () => exchangeJson('POST', codeUrl(usdot, loadId), {}, codeShape)),
  end: useChange(codeKey(usdot, loadId), () => sendJson('DELETE', codeUrl(usdot, loadId), {})),
});
