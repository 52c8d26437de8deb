import { useChange } from '@/lib/browser/change';
import { sendJson } from '@/lib/browser/fetch-json';
import { tagsKey, tagsUrl } from './queries';
import type { TagChange } from './schema';

/** Changes tags, and resolves once they are read again. @throws ServerUnreachableError, ServerProblemError */
export const useChangeTags = (usdot: string) =>
  useChange(tagsKey(usdot), (change: TagChange) => sendJson('POST', tagsUrl(usdot), change));
