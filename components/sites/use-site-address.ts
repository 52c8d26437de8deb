import { useSearchParams } from 'next/navigation';
import { readLocation } from '@/lib/browser/history-limit';

/** What the page shows beside its map: the list, places that could be sites, a new site, or one that is changed. */
export type SiteTask = { kind: 'list' | 'suggested' | 'new' } | { kind: 'edit'; id: number };

/** The query of the page's address. */
export const toSiteSearch = (task: SiteTask): string => {
  if (task.kind === 'edit') return `?edit=${task.id}`;
  return { list: '', suggested: '?show=suggested', new: '?edit=new' }[task.kind];
};

/** The task that the page's address names. */
export const useSiteTask = (): SiteTask => {
  const search = useSearchParams();
  const edit = search?.get('edit') ?? '';
  if (edit === 'new') return { kind: 'new' };
  if (/^[1-9]\d{0,8}$/.test(edit)) return { kind: 'edit', id: Number(edit) };
  return { kind: search?.get('show') === 'suggested' ? 'suggested' : 'list' };
};

/** Shows another task; "back" returns to this one. */
export const openTask = (task: SiteTask): void =>
  window.history.pushState(null, '', `${readLocation().pathname}${toSiteSearch(task)}`);
