import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** A change of what our own server has, after which the queries whose keys begin with `queryKey` are read again. */
export const useChange = <Input, Output>(queryKey: QueryKey, change: (input: Input) => Promise<Output>) => {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries({ queryKey }) });
};
