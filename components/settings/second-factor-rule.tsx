import { Button } from '@mantine/core';
import type { SettingsAnswer } from '@/lib/settings/schema';
import type { SettingTask } from './setting-dialog';
import { SettingSection } from './setting-section';
import styles from './settings-page.module.css';

interface SecondFactorRuleProps {
  settings: SettingsAnswer;
  onTask: (task: SettingTask) => void;
}

/** Whether managers need a second factor. */
export const SecondFactorRule = ({ settings, onTask }: SecondFactorRuleProps) => {
  const { isRequired, isFixed, changed } = settings.secondFactor;
  return (
    <SettingSection
      title="Signing in"
      lead="With a second factor a stolen password opens nothing: signing in asks for a code of an app as well. Users who sign in with a company account are asked by that company instead."
      changed={changed}
    >
      <div className={styles.rule}>
        <div>
          <b>{isRequired ? 'Managers need a second factor' : 'The second factor is optional'}</b>
          {isRequired
            ? 'A manager without one can do nothing until it is set up.'
            : 'Users can set one up on their account page.'}
        </div>
        {isFixed ? (
          <span className={styles.fixed}>Set by REQUIRE_SECOND_FACTOR</span>
        ) : settings.mayChange ? (
          <Button
            variant="default"
            onClick={() => onTask({ kind: 'second-factor', isRequired: !isRequired })}
          >
            {isRequired ? 'Make it optional…' : 'Require it of managers…'}
          </Button>
        ) : null}
      </div>
    </SettingSection>
  );
};
