import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { FormHeldError } from '@/components/ui/api-form';
import { useRulePreview } from '@/lib/alerts/queries';
import {
  alertRuleInputSchema,
  mayOpenAtOnce,
  type AlertRuleInput,
  type RulePreview,
} from '@/lib/rules/alert-rule';

/** A rule that opens more alerts at once asks before it is saved. */
const FEW = 5;
/** A check that takes longer has failed. */
const CHECK_WITHIN_MS = 12_000;

type Rule = Omit<AlertRuleInput, 'isNewOnly'>;

/** The rule without what is known of a stored one. */
const toRule = ({
  name,
  condition,
  units,
  schedule,
  severity,
  coolDownMin,
  isEnabled,
  isOwn,
}: Rule): Rule => ({
  ...{ name, condition, units, schedule, severity, coolDownMin, isEnabled, isOwn },
});

/** The part of a rule that decides which alerts it opens. */
export const keyOf = (rule: Rule): string => {
  const given = toRule(rule);
  // Of a stored rule the properties have another order.
  const { condition, units, schedule } = alertRuleInputSchema.safeParse(given).data ?? given;
  return JSON.stringify({ condition, units, schedule });
};

/** A rule that was not saved at once, because it opens many alerts, or because that could not be found out. */
export interface Flood {
  key: string;
  preview: RulePreview | { failure: string };
}

/** Tries a rule on the recording before it is saved. */
export const useFloodCheck = (initial: Flood | null = null) => {
  const tried = useRulePreview(useUsdot());
  const [flood, setFlood] = useState(initial);

  const tryNow = async (rule: Rule): Promise<RulePreview> => {
    const isTried = tried.data !== undefined && keyOf(tried.variables.rule) === keyOf(rule);
    return isTried ? tried.data : tried.mutateAsync({ rule: toRule(rule), timeoutMs: CHECK_WITHIN_MS });
  };

  /** The rule's flood, also where it is not known; null: it opens few alerts, or opens them one by one. */
  const find = async (rule: Rule): Promise<Flood | null> => {
    if (!rule.isEnabled || !mayOpenAtOnce(rule)) return null;
    const preview = await tryNow(rule).catch((error: Error) => ({ failure: error.message }));
    return 'failure' in preview || preview.open > FEW ? { key: keyOf(rule), preview } : null;
  };

  return {
    tried,
    find,
    floodOf: (rule: Rule): Flood | null => (flood?.key === keyOf(rule) ? flood : null),
    /** Resolves if the rule can be saved. @throws FormHeldError where it is to be decided first what becomes of its flood */
    require: async (rule: Rule): Promise<void> => {
      if (flood?.key === keyOf(rule)) return;
      const found = await find(rule);
      setFlood(found);
      if (found !== null) throw new FormHeldError();
    },
  };
};
export type FloodCheck = ReturnType<typeof useFloodCheck>;
