import { fold } from '@/lib/base/text/text';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { MOST_FOUND, searchUnits } from '@/components/fleet-state/search-units';
import type { Choice } from '@/components/ui/choices-field';
import { useTags } from '@/lib/tags/queries';
import type { RuleNames } from '@/lib/alerts/text';
import { PERSISTENT, fetchJson } from '@/lib/browser/fetch-json';
import { sitesPath, sitesShape } from '@/lib/sites/queries';
import { unitName } from '@/lib/view/unit-name';
import type { Fleet } from '@/lib/wire/fleet';

/** The choices of a list whose labels hold a text. */
const searchIn =
  (choices: readonly Choice[]) =>
  (text: string): Choice[] => {
    const wanted = fold(text.trim());
    return choices.filter(({ label }) => fold(label).includes(wanted)).slice(0, MOST_FOUND);
  };

const toChoices = (values: Iterable<string>): Choice[] =>
  [...values].sort((a, b) => a.localeCompare(b, 'en')).map((value) => ({ value, label: value }));

const makesOf = (fleet: Fleet | null): Set<string> =>
  new Set(fleet?.identities.flatMap((identity) => identity?.make ?? []));

const useSites = (usdot: string) =>
  useQuery({
    // With the fleet's other queries of sites: a change of one reads all again.
    queryKey: ['sites', usdot, 'choices'],
    queryFn: ({ signal }) => fetchJson(sitesPath(usdot), sitesShape, { signal }),
    ...PERSISTENT,
  });

/** The sites, units, makes and tags that a rule of a fleet can name, with their names. */
export const useRuleChoices = () => {
  const usdot = useUsdot();
  const { fleet } = useReading();
  const { data: sites } = useSites(usdot);
  const { data: tags } = useTags(usdot);
  const makes = useMemo(() => toChoices(makesOf(fleet)), [fleet]);
  const siteChoices = useMemo(
    () => sites?.sites.map(({ id, name }) => ({ value: String(id), label: name })) ?? null,
    [sites],
  );
  const names: RuleNames = useMemo(
    () => ({
      site: (id) => sites?.sites.find((site) => site.id === id)?.name ?? null,
      unit: (key) => {
        const identity = fleet?.identities.find((each) => each?.key === key);
        return identity ? unitName(identity) : null;
      },
    }),
    [sites, fleet],
  );
  return {
    /** Null while they are not known. */
    sites: siteChoices,
    searchSites: searchIn(siteChoices ?? []),
    searchMakes: searchIn(makes),
    searchTags: searchIn(toChoices(tags?.tags.map(({ tag }) => tag) ?? [])),
    searchUnits: searchUnits(fleet),
    names,
  };
};
export type RuleChoices = ReturnType<typeof useRuleChoices>;
