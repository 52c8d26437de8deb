import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMoment } from '@/components/alert-bell/use-moment';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { FormDialog } from '@/components/kit/dialog';
import { useViewer } from '@/components/layout/viewer-context';
import { useRuleChanges } from '@/lib/alerts/queries';
import { ruleText, type RuleNames, alertText } from '@/lib/alerts/text';
import { isLoadCondition } from '@/lib/rules/load-cases';
import {
  alertRuleInputSchema,
  type AlertRule,
  type AlertRuleInput,
  type RulePreview as Preview,
} from '@/lib/rules/alert-rule';
import { formatCount, formatWhole } from '@/lib/view/format';
import styles from '../alerts.module.css';
import { RuleFields, needsSites } from './rule-fields';
import { recordedText } from './recorded-text';
import { keyOf, useFloodCheck, type Flood, type FloodCheck } from './use-flood-check';
import { isNameable, toNewValues, toRuleInput, toRuleValues, type RuleValues } from './rule-values';
import { useRuleChoices } from './use-rule-choices';

export type RuleTask =
  | { kind: 'add'; change: (values: RuleValues) => RuleValues }
  | { kind: 'remove'; rule: AlertRule }
  /** `flood`: the alerts that it would open at once if it is switched on. */
  | { kind: 'change'; rule: AlertRule; flood?: Flood };

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
  const check = useFloodCheck(task.kind === 'change' ? task.flood : null);
  const [isNewOnly, setNewOnly] = useState(true);
  const send = async (input: AlertRuleInput): Promise<AlertRule> => {
    const hasNoSites = choices.sites?.length === 0 && needsSites(input.condition.kind);
    if (!hasNoSites && !isJudgedAlike(input, task)) await check.require(input);
    const chosen = check.floodOf(input) === null ? {} : { isNewOnly };
    if (task.kind === 'add') return add.mutateAsync({ ...input, ...chosen });
    const { isOwn: _, ...changed } = input;
    return change.mutateAsync({ id: task.rule.id, change: { ...changed, ...chosen } });
  };
  return (
    <FormDialog
      title={task.kind === 'add' ? 'Add a rule' : `Change “${task.rule.name}”`}
      action={(values) => actionText(task, check.floodOf(toInput(values)), isNewOnly)}
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
          <RulePreview input={toInput(form.values)} tried={check.tried} />
          <FloodChoice
            flood={check.floodOf(toInput(form.values))}
            isNewOnly={isNewOnly}
            onChoose={setNewOnly}
          />
        </>
      )}
    </FormDialog>
  );
};

/** The label of the button that saves a rule, which says what becomes of its flood. */
const actionText = ({ kind }: RuleTask, flood: Flood | null, isNewOnly: boolean): string => {
  if (flood === null) return kind === 'add' ? 'Add the rule' : 'Save';
  const verb = kind === 'add' ? 'Add' : 'Save';
  if (isNewOnly) return `${verb}, new cases only`;
  return `${verb} and open ${'failure' in flood.preview ? 'alerts' : formatCount(flood.preview.open, 'alert')}`;
};

/** Whether a rule that is on goes on to open the same alerts. */
const isJudgedAlike = (input: AlertRuleInput, task: Exclude<RuleTask, { kind: 'remove' }>): boolean => {
  if (task.kind === 'add' || task.flood !== undefined || !task.rule.isEnabled) return false;
  return keyOf(task.rule) === keyOf(input);
};

interface FloodChoiceProps {
  flood: Flood | null;
  isNewOnly: boolean;
  onChoose: (isNewOnly: boolean) => void;
}

/** What becomes of the alerts that a rule would open at once. */
const FloodChoice = ({ flood, isNewOnly, onChoose }: FloodChoiceProps) => {
  const moment = useMoment();
  if (flood === null) return <div role="status" />;
  const { preview } = flood;
  const isKnown = 'open' in preview;
  return (
    <Stack gap={10} className={styles.flood}>
      <p role="status">
        {isKnown ? (
          <>
            <b>This rule opens {formatCount(preview.open, 'alert')} now.</b>{' '}
            {preview.fromMs === preview.toMs
              ? null
              : `It would have opened ${formatWhole(preview.count)} ${recordedText(preview, moment)}.`}
          </>
        ) : (
          <>
            <b>How many alerts this rule opens now could not be found out.</b> {preview.failure}
          </>
        )}
      </p>
      <Radio.Group
        aria-label="Alerts at once"
        value={isNewOnly ? 'new' : 'all'}
        onChange={(value) => onChoose(value === 'new')}
      >
        <Stack gap={8}>
          <Radio
            value="new"
            label="Open no alert for them"
            description="Only for new cases from now on: also for the same truck, when it happens again."
          />
          <Radio
            value="all"
            label={
              isKnown
                ? `Open these ${formatCount(preview.open, 'alert')} now`
                : 'Open an alert for each case now'
            }
            description="They are in the list some seconds after."
          />
        </Stack>
      </Radio.Group>
    </Stack>
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

/** Shows on request the alerts that a rule would have opened in the last 7 days. */
const RulePreview = ({ input, tried }: { input: AlertRuleInput; tried: FloodCheck['tried'] }) => {
  const { mutate, data, error, variables, isPending } = tried;
  if (isLoadCondition(input.condition))
    return (
      <p className="lh-note">Loads are judged as they happen, so this rule cannot be tried on the past.</p>
    );
  // Its name and whether it is on change no alert.
  const rule = { ...input, name: 'Preview', isEnabled: true };
  const isOfRule =
    JSON.stringify({ ...variables?.rule, name: 'Preview', isEnabled: true }) === JSON.stringify(rule);
  return (
    <Stack component="section" gap={8} align="start" className={styles.preview} aria-label="Preview">
      <Button
        variant="default"
        loading={isPending}
        disabled={!alertRuleInputSchema.safeParse(rule).success}
        onClick={() => mutate({ rule })}
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

const Sent = ({ preview }: { preview: Preview }) => {
  const { count, open, first, fromMs, toMs } = preview;
  const moment = useMoment();
  if (fromMs === toMs) return <p>Nothing was recorded in the last 7 days.</p>;
  const listed = first.slice(0, LISTED);
  return (
    <>
      <p>
        It would have opened {count === 0 ? 'no alert' : formatCount(count, 'alert')}{' '}
        {recordedText(preview, moment)}
        {open === 0 ? '' : `, of which ${formatWhole(open)} would be open now`}.
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
