import { Button, Group, Switch } from '@mantine/core';
import { useState } from 'react';
import { Answered, Message } from '@/components/kit/full-page';
import { AddButton } from '@/components/kit/page-frame';
import { RowAction } from '@/components/kit/table';
import { useMoment } from '@/components/alert-bell/use-moment';
import { SeverityIcon } from '@/components/alert-bell/severity-icon';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useViewer } from '@/components/layout/viewer-context';
import { ProblemNote } from '@/components/ui/problem-note';
import { useAlertRules, useRuleChanges } from '@/lib/alerts/queries';
import type { AlertRule } from '@/lib/rules/alert-rule';
import { minutesText, ruleText, type RuleNames } from '@/lib/alerts/text';
import styles from '../alerts.module.css';
import { ListLoading, failureText } from '../list/alert-list';
import { RuleDialog, type RuleTask } from './rule-dialog';
import { NoSites } from './rule-fields';
import { useFloodCheck } from './use-flood-check';
import { SUGGESTIONS } from './rule-values';
import { useRuleChoices, type RuleChoices } from './use-rule-choices';

export const RuleList = () => {
  const query = useAlertRules(useUsdot());
  const { role } = useViewer();
  const [task, setTask] = useState<RuleTask | null>(null);
  const add = (change: Extract<RuleTask, { kind: 'add' }>['change']): void =>
    setTask({ kind: 'add', change });
  const error = query.error ?? query.failureReason;
  return (
    <Answered
      query={query}
      failure="The rules could not be loaded."
      textOf={failureText}
      loading={<ListLoading />}
    >
      {({ rules }) => (
        <div className={styles.list}>
          <Group justify="space-between" gap="8px 16px" c="dimmed">
            <p>
              {role === 'manager'
                ? 'Linehaul evaluates these rules on the server all day, also when no browser is open.'
                : 'Your managers set the rules of the fleet. Rules that you add are yours alone.'}
            </p>
            <AddButton onClick={() => add((values) => values)}>Add a rule</AddButton>
          </Group>
          {error === null ? null : <ProblemNote role="alert">{failureText(error)}</ProblemNote>}
          {rules.length === 0 ? <Suggestions onChoose={add} /> : <Rules rules={rules} onTask={setTask} />}
          {task === null ? null : <RuleDialog task={task} onClose={() => setTask(null)} />}
        </div>
      )}
    </Answered>
  );
};

/** Rules to begin with, in place of a list without any. */
const Suggestions = ({
  onChoose,
}: {
  onChoose: (change: (typeof SUGGESTIONS)[number]['change']) => void;
}) => (
  <Message title="No rules yet.">
    <p>Begin with one of these. You can change it before you add it.</p>
    <Group gap={8} justify="center" className={styles.suggestions}>
      {SUGGESTIONS.map(({ label, change }) => (
        <Button key={label} variant="default" onClick={() => onChoose(change)}>
          {label}
        </Button>
      ))}
    </Group>
  </Message>
);

const Rules = ({ rules, onTask }: { rules: readonly AlertRule[]; onTask: (task: RuleTask) => void }) => {
  const { names, sites } = useRuleChoices();
  const { change } = useRuleChanges(useUsdot());
  const check = useFloodCheck();
  const [checkedId, setCheckedId] = useState<number | null>(null);
  /** A rule that would open many alerts at once is switched on in its dialog, which says so. */
  const switchOn = async (rule: AlertRule): Promise<void> => {
    setCheckedId(rule.id);
    const on = { ...rule, isEnabled: true };
    const flood = await check.find(on);
    setCheckedId(null);
    if (flood === null) change.mutate({ id: rule.id, change: { isEnabled: true } });
    else onTask({ kind: 'change', rule: on, flood });
  };
  return (
    <>
      {change.error === null ? null : <ProblemNote role="alert">{change.error.message}</ProblemNote>}
      <ul className="lh-list">
        {rules.map((rule) => (
          <RuleLine
            key={rule.id}
            rule={rule}
            names={names}
            sites={sites}
            isBusy={checkedId === rule.id || (change.isPending && change.variables.id === rule.id)}
            onSwitch={(isEnabled) =>
              isEnabled ? void switchOn(rule) : change.mutate({ id: rule.id, change: { isEnabled } })
            }
            onTask={onTask}
          />
        ))}
      </ul>
    </>
  );
};

interface RuleLineProps extends Pick<RuleChoices, 'sites'> {
  rule: AlertRule;
  names: RuleNames;
  isBusy: boolean;
  onSwitch: (isEnabled: boolean) => void;
  onTask: (task: RuleTask) => void;
}

const RuleLine = ({ rule, names, sites, isBusy, onSwitch, onTask }: RuleLineProps) => {
  const { name, severity, coolDownMin, isEnabled, isOwn, madeBy, newFromMs } = rule;
  const moment = useMoment();
  const { role } = useViewer();
  const mayChange = isOwn || role === 'manager';
  const facts = [
    coolDownMin === 0 ? null : `At most one alert of a truck in ${minutesText(coolDownMin)}`,
    newFromMs == null ? null : `Only cases that are new since ${moment(newFromMs)}`,
    isOwn ? 'Only for you' : `Made by ${madeBy}`,
  ];
  return (
    <li className={`lh-row ${styles.rule}`} data-off={!isEnabled}>
      <Switch
        aria-label={name}
        checked={isEnabled}
        disabled={!mayChange || isBusy}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      <SeverityIcon severity={severity} size={20} />
      <div className={styles.what}>
        <p className={styles.sentence}>{name}</p>
        <p className="lh-note">{ruleText(rule, names)}.</p>
        <p className="lh-note">{facts.filter(Boolean).join(' · ')}</p>
        {isEnabled ? <NoSites kind={rule.condition.kind} sites={sites} /> : null}
      </div>
      {mayChange ? (
        <div className={styles.actions}>
          <RowAction label="Change" of={name} onPress={() => onTask({ kind: 'change', rule })} />
          <RowAction label="Remove" of={name} onPress={() => onTask({ kind: 'remove', rule })} />
        </div>
      ) : null}
    </li>
  );
};
