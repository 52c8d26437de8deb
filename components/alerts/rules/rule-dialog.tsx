import { Button, Stack, Text } from '@mantine/core';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { FormDialog } from '@/components/kit/dialog';
import { useViewer } from '@/components/layout/viewer-context';
import { useRuleChanges, useRulePreview } from '@/lib/alerts/queries';
import { ruleText, type RuleNames, alertText } from '@/lib/alerts/text';
import {
  alertRuleInputSchema,
  type AlertRule,
  type AlertRuleInput,
  type RulePreview as Preview,
} from '@/lib/rules/alert-rule';
import { formatCount } from '@/lib/view/format';
import styles from '../alerts.module.css';
import { RuleFields } from './rule-fields';
import { isNameable, toNewValues, toRuleInput, toRuleValues, type RuleValues } from './rule-values';
import { useRuleChoices } from './use-rule-choices';

export type RuleTask =
  | { kind: 'add'; change: (values: RuleValues) => RuleValues }
  | { kind: 'change' | 'remove'; rule: AlertRule };

interface RuleDialogProps {
  task: RuleTask;
  onClose: () => void;
}

export const RuleDialog = ({ task, ...props }: RuleDialogProps) =>
  task.kind === 'remove' ? (
    <RemoveRule rule={task.rule} onClose={props.onClose} />
  ) : (
    <EditRule task={task} {...props} />
  );

const EditRule = ({ task, onClose }: RuleDialogProps & { task: Exclude<RuleTask, { kind: 'remove' }> }) => {
  const usdot = useUsdot();
  const { kind, role } = useViewer();
  const { add, change } = useRuleChanges(usdot);
  const choices = useRuleChoices();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Dispatchers set rules for themselves alone.
  const isOwn = role !== 'manager';
  const initialValues =
    task.kind === 'add' ? task.change(toNewValues(timeZone, isOwn)) : toRuleValues(task.rule, timeZone);
  const toInput = (values: RuleValues): AlertRuleInput => toRuleInput(values, choices.names);
  const send = (input: AlertRuleInput): Promise<AlertRule> => {
    if (task.kind === 'add') return add.mutateAsync(input);
    const { isOwn: _, ...changed } = input;
    return change.mutateAsync({ id: task.rule.id, change: changed });
  };
  return (
    <FormDialog
      title={task.kind === 'add' ? 'Add a rule' : `Change “${task.rule.name}”`}
      action={task.kind === 'add' ? 'Add the rule' : 'Save'}
      size="xl"
      initialValues={initialValues}
      toInput={toInput}
      schema={alertRuleInputSchema}
      send={send}
      onClose={onClose}
    >
      {(form) => (
        <>
          <RuleFields
            form={form}
            choices={choices}
            isOwnOffered={task.kind === 'add' && kind === 'user' && role === 'manager'}
          />
          <Sentence input={toInput(form.values)} names={choices.names} />
          <RulePreview input={toInput(form.values)} />
        </>
      )}
    </FormDialog>
  );
};

/** The rule as it will be listed, as far as it is complete. */
const Sentence = ({ input, names }: { input: AlertRuleInput; names: RuleNames }) => (
  <Text inherit fw={650} px={14} py={12} bdrs={8} bg="var(--lh-ground)" role="status">
    {isNameable(input) ? `${ruleText(input, names)}.` : 'The rule is not complete yet.'}
  </Text>
);

const RemoveRule = ({ rule, onClose }: { rule: AlertRule; onClose: () => void }) => {
  const { remove } = useRuleChanges(useUsdot());
  return (
    <FormDialog
      title={`Remove “${rule.name}”`}
      action="Remove the rule"
      isDangerous
      send={() => remove.mutateAsync(rule.id)}
      onClose={onClose}
    >
      Linehaul stops watching for it, and closes its open alerts. The alerts that it opened stay in the list.
      To stop it for a while, switch it off instead.
    </FormDialog>
  );
};

/** How many of the newest alerts are listed. */
const LISTED = 5;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Shows on request what a rule would have sent in the last 7 days. */
const RulePreview = ({ input }: { input: AlertRuleInput }) => {
  const { mutate, data, error, variables, isPending } = useRulePreview(useUsdot());
  // Its name and whether it is on change no alert.
  const rule = { ...input, name: 'Preview', isEnabled: true };
  const isOfRule = JSON.stringify(variables) === JSON.stringify(rule);
  return (
    <Stack component="section" gap={8} align="start" className={styles.preview} aria-label="Preview">
      <Button
        variant="default"
        loading={isPending}
        disabled={!alertRuleInputSchema.safeParse(rule).success}
        onClick={() => mutate(rule)}
      >
        Try it on the last 7 days
      </Button>
      <div role="status">
        {isOfRule && error !== null ? <p>It could not be tried: {error.message}</p> : null}
        {isOfRule && data !== undefined ? <Sent preview={data} /> : null}
      </div>
    </Stack>
  );
};

const Sent = ({ preview: { count, first, fromMs, toMs } }: { preview: Preview }) => {
  const moment = useMoment();
  if (fromMs === toMs) return <p>Nothing was recorded in the last 7 days.</p>;
  const range =
    toMs - fromMs < WEEK_MS
      ? `since ${moment(fromMs)}, which is as far back as it was tried`
      : 'in the last 7 days';
  const listed = first.slice(0, LISTED);
  return (
    <>
      <p>
        Would have sent {count === 0 ? 'no alert' : formatCount(count, 'alert')} {range}.
        {count > listed.length ? ' The newest:' : null}
      </p>
      <ul>
        {listed.map((alert) => (
          <li key={`${alert.unit} ${alert.openedMs}`}>{alertText(alert, moment)}</li>
        ))}
      </ul>
    </>
  );
};
