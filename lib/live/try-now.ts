import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendJson } from '@/lib/browser/fetch-json';
import { liveKey } from './live';

/**
 * Ends the server's wait after a failure of the provider, and then reads the fleet. Its variable is the end of that wait:
 * an error belongs to this wait alone.
 *
 * @throws ServerUnreachableError, ServerProblemError; also where the last attempt was a moment ago
 */
export const useTryNow = (usdot: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_untilMs: number | null) =>
      sendJson('POST', `/api/fleets/${encodeURIComponent(usdot)}/attempt`, {}),
    networkMode: 'always',
    onSettled: () => client.refetchQueries({ queryKey: liveKey(usdot) }),
  });
};
