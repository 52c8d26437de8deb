import { FormDialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useViewer } from '@/components/layout/viewer-context';
import { useRuleChanges } from '@/lib/alerts/queries';
import { alertRuleInputSchema, type AlertRule, type AlertRuleInput } from '@/lib/rules/alert-rule';
import { ruleText, type RuleNames } from '@/lib/alerts/text';
import { RuleFields } from './rule-fields';
import { RulePreview } from './rule-preview';
import styles from '../alerts.module.css';
import { isNameable, toNewValues, toRuleInput, toRuleValues, type RuleValues } from './rule-values';
import { useRuleChoices } from './use-rule-choices';

/** What a dialog does. */
export type RuleTask =
  | { kind: 'add'; change: (values: RuleValues) => RuleValues }
  | { kind: 'change' | 'remove'; rule: AlertRule };

interface RuleDialogProps {
  task: RuleTask;
  onClose: () => void;
}

/** Adds, changes or removes a rule. */
export const RuleDialog = ({ task, ...props }: RuleDialogProps) =>
  task.kind === 'remove' ? (
    <RemoveRule rule={task.rule} onClose={props.onClose} />
  ) : (
    <EditRule task={task} {...props} />
  );

interface EditRuleProps extends RuleDialogProps {
  task: Exclude<RuleTask, { kind: 'remove' }>;
}

const EditRule = ({ task, onClose }: EditRuleProps) => {
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
  <p className={styles.reads} role="status">
    {isNameable(input) ? `${ruleText(input, names)}.` : 'The rule is not complete yet.'}
  </p>
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
      <p>
        Linehaul stops watching for it, and closes its open alerts. The alerts that it opened stay in the
        list. To stop it for a while, switch it off instead.
      </p>
    </FormDialog>
  );
};
