import { toQuery, pushSearch, useAddress } from '@/components/ui/use-address';

/** The content beside the map of the page: the list, places that could be sites, a new site, or one that is changed. */
export type SiteTask = { kind: 'list' | 'suggested' | 'new' } | { kind: 'edit'; id: number };

const parse = (search: URLSearchParams): SiteTask => {
  const edit = search.get('edit') ?? '';
  if (edit === 'new') return { kind: 'new' };
  if (/^[1-9]\d{0,8}$/.test(edit)) return { kind: 'edit', id: Number(edit) };
  return { kind: search.get('show') === 'suggested' ? 'suggested' : 'list' };
};

export const toSiteSearch = (task: SiteTask): string =>
  toQuery({
    edit: task.kind === 'edit' ? task.id : task.kind === 'new' ? 'new' : null,
    show: task.kind === 'suggested' ? 'suggested' : null,
  });

export const useSiteTask = (): SiteTask => useAddress({ parse, toSearch: toSiteSearch })[0];

/** Shows another task; "back" returns to this one. */
export const openTask = (task: SiteTask): void => pushSearch(toSiteSearch(task));
