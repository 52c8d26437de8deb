import { integer, object } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, sendJson } from '@/lib/browser/fetch-json';
import { loadsUrl } from './answers';
import { loadsKey } from './queries';
import type { LoadInput } from './schema';

const madeShape = object({ id: integer(1) });

/** Changes of loads, which resolve once the loads are read again. @throws ServerUnreachableError, ServerProblemError */
export const useLoadChanges = (usdot: string) => ({
  add: useChange(loadsKey(usdot), (load: LoadInput) =>
    exchangeJson('POST', loadsUrl(usdot), load, madeShape),
  ),
  change: useChange(loadsKey(usdot), ({ id, load }: { id: number; load: LoadInput }) =>
    sendJson('PUT', `${loadsUrl(usdot)}/${id}`, load),
  ),
  end: useChange(loadsKey(usdot), (id: number) => sendJson('POST', `${loadsUrl(usdot)}/${id}/end`, {})),
  remove: useChange(loadsKey(usdot), (id: number) => sendJson('DELETE', `${loadsUrl(usdot)}/${id}`, {})),
});
