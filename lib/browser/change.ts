import { useMutation, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * Reads the queries again whose keys begin with `queryKey`, after what they read was changed. A first answer that is under way
 * may be from before that, and the library would take it for the new one.
 */
export const readAgain = async (client: QueryClient, queryKey: QueryKey): Promise<void> => {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
};

/** A change of what our own server has, after which the queries whose keys begin with `queryKey` are read again. */
export const useChange = <Input, Output>(queryKey: QueryKey, change: (input: Input) => Promise<Output>) => {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => readAgain(client, queryKey) });
};
