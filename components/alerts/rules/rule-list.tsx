'use client';

import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { AddButton } from '@/components/kit/page-frame';
import { RowAction } from '@/components/kit/table';
import { SeverityIcon } from '@/components/alert-bell/severity-icon';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useViewer } from '@/components/layout/viewer-context';
import { ProblemNote } from '@/components/ui/problem-note';
import { useAlertRules, useRuleChanges } from '@/lib/alerts/queries';
import type { AlertRule } from '@/lib/rules/alert-rule';
import { minutesText, ruleText, type RuleNames } from '@/lib/alerts/text';
import pageStyles from '../alerts-page.module.css';
import { ListFailure, ListLoading, ListMessage, failureText } from '../list/list-states';
import { RuleDialog, type RuleTask } from './rule-dialog';
import styles from './rules.module.css';
import { SUGGESTIONS } from './rule-values';
import { useRuleChoices } from './use-rule-choices';

/** The rules of a fleet and the viewer's own: each as its sentence, with a switch. */
export const RuleList = () => {
  const usdot = useUsdot();
  const { data, error: lastError, failureReason, isFetching, refetch } = useAlertRules(usdot);
  // A failure is shown at once, also during the retries.
  const error = lastError ?? failureReason;
  const { role } = useViewer();
  const [task, setTask] = useState<RuleTask | null>(null);
  const add = (change: Extract<RuleTask, { kind: 'add' }>['change']): void =>
    setTask({ kind: 'add', change });
  if (data === undefined)
    return error === null ? (
      <ListLoading />
    ) : (
      <ListFailure
        title="The rules could not be loaded."
        error={error}
        isFetching={isFetching}
        onRetry={() => void refetch()}
      />
    );
  return (
    <div className={pageStyles.list}>
      <div className={styles.head}>
        <p>
          {role === 'manager'
            ? 'Linehaul evaluates these rules on the server all day, also when no browser is open.'
            : 'Your managers set the rules of the fleet. Rules that you add are yours alone.'}
        </p>
        <AddButton onClick={() => add((values) => values)}>Add a rule</AddButton>
      </div>
      {error === null ? null : <ProblemNote role="alert">{failureText(error)}</ProblemNote>}
      {data.rules.length === 0 ? (
        <Suggestions onChoose={add} />
      ) : (
        <Rules rules={data.rules} onTask={setTask} />
      )}
      {task === null ? null : <RuleDialog task={task} onClose={() => setTask(null)} />}
    </div>
  );
};

/** In place of a list without rules: some to begin with. */
const Suggestions = ({
  onChoose,
}: {
  onChoose: (change: (typeof SUGGESTIONS)[number]['change']) => void;
}) => (
  <ListMessage title="No rules yet.">
    <p>Begin with one of these. You can change it before you add it.</p>
    <div className={styles.suggestions}>
      {SUGGESTIONS.map(({ label, change }) => (
        <Button key={label} variant="default" onClick={() => onChoose(change)}>
          {label}
        </Button>
      ))}
    </div>
  </ListMessage>
);

interface RulesProps {
  rules: readonly AlertRule[];
  onTask: (task: RuleTask) => void;
}

const Rules = ({ rules, onTask }: RulesProps) => {
  const { names } = useRuleChoices();
  const { change } = useRuleChanges(useUsdot());
  return (
    <>
      {change.error === null ? null : <ProblemNote role="alert">{change.error.message}</ProblemNote>}
      <ul className={pageStyles.lines}>
        {rules.map((rule) => (
          <RuleLine
            key={rule.id}
            rule={rule}
            names={names}
            isBusy={change.isPending && change.variables.id === rule.id}
            onSwitch={(isEnabled) => change.mutate({ id: rule.id, change: { isEnabled } })}
            onTask={onTask}
          />
        ))}
      </ul>
    </>
  );
};

interface RuleLineProps {
  rule: AlertRule;
  names: RuleNames;
  isBusy: boolean;
  onSwitch: (isEnabled: boolean) => void;
  onTask: (task: RuleTask) => void;
}

const RuleLine = ({ rule, names, isBusy, onSwitch, onTask }: RuleLineProps) => {
  const { name, severity, coolDownMin, isEnabled, isOwn, madeBy } = rule;
  const { role } = useViewer();
  const mayChange = isOwn || role === 'manager';
  const facts = [
    coolDownMin === 0 ? null : `At most one alert of a truck in ${minutesText(coolDownMin)}`,
    isOwn ? 'Only for you' : `Made by ${madeBy}`,
  ];
  return (
    <li className={styles.rule} data-off={!isEnabled}>
      <Switch
        aria-label={name}
        checked={isEnabled}
        disabled={!mayChange || isBusy}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      <SeverityIcon severity={severity} size={20} />
      <div className={pageStyles.what}>
        <p className={pageStyles.sentence}>{name}</p>
        <p className={pageStyles.facts}>{ruleText(rule, names)}.</p>
        <p className={pageStyles.facts}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {mayChange ? (
        <div className={pageStyles.actions}>
          <RowAction label="Change" of={name} onPress={() => onTask({ kind: 'change', rule })} />
          <RowAction label="Remove" of={name} onPress={() => onTask({ kind: 'remove', rule })} />
        </div>
      ) : null}
    </li>
  );
};
