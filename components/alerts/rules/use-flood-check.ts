import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useRulePreview } from '@/lib/alerts/queries';
import {
  alertRuleInputSchema,
  mayOpenAtOnce,
  type AlertRuleInput,
  type RulePreview,
} from '@/lib/rules/alert-rule';

/** More alerts at once than this are said before a rule is saved. */
const FEW = 5;
/** A check that takes longer is left out. */
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
  /** Null: it could not be found out. */
  preview: RulePreview | null;
}

/** Tries a rule on the recording before it is saved. */
export const useFloodCheck = (initial: Flood | null = null) => {
  const tried = useRulePreview(useUsdot());
  const [flood, setFlood] = useState(initial);

  const tryNow = async (rule: Rule): Promise<RulePreview> => {
    const isTried = tried.data !== undefined && keyOf(tried.variables.rule) === keyOf(rule);
    return isTried ? tried.data : tried.mutateAsync({ rule: toRule(rule), timeoutMs: CHECK_WITHIN_MS });
  };

  /** The rule's flood; null: it opens few alerts, or opens them one by one. */
  const find = async (rule: Rule): Promise<Flood | null> => {
    if (!rule.isEnabled || !mayOpenAtOnce(rule)) return null;
    const preview = await tryNow(rule);
    return preview.open > FEW ? { key: keyOf(rule), preview } : null;
  };

  return {
    tried,
    find,
    floodOf: (rule: Rule): Flood | null => (flood?.key === keyOf(rule) ? flood : null),
    /** Resolves if the rule can be saved. @throws Error with what is to be decided first */
    require: async (rule: Rule, action: string): Promise<void> => {
      if (flood?.key === keyOf(rule)) return;
      let found: Flood | null;
      try {
        found = await find(rule);
      } catch (error) {
        setFlood({ key: keyOf(rule), preview: null });
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(
          `How many alerts it would open now is not known: ${reason} Press “${action}” again to save it anyway.`,
        );
      }
      setFlood(found);
      if (found === null) return;
      throw new Error(`Choose what becomes of these alerts, then press “${action}” again.`);
    },
  };
};
export type FloodCheck = ReturnType<typeof useFloodCheck>;
