import { AdminTable, RowAction, RowActions } from '@/components/admin/admin-table';
import table from '@/components/admin/admin-table.module.css';
import { enterWords, isPreset, leaveWords } from '@/lib/settings/text';
import { FLAG_MEANINGS, FLAG_WORDS } from '@/lib/view/text';
import type { FlagSetting, SettingsAnswer } from '@/lib/settings/schema';
import type { SettingTask } from './setting-dialog';
import { SettingSection } from './setting-section';
import styles from './settings-page.module.css';

interface FlagsCardProps {
  settings: SettingsAnswer;
  onTask: (task: SettingTask) => void;
}

/** When each flag is raised and cleared. */
export const FlagsCard = ({ settings, onTask }: FlagsCardProps) => (
  <SettingSection
    title="What to check"
    lead="A flag is raised after the problem has lasted this long, and cleared after it has been gone this long. Longer times mean fewer flags that come and go; shorter ones warn sooner."
    changed={settings.flagsChanged}
  >
    <AdminTable label="Flags" columns={['Flag', 'Raised after', 'Cleared after']}>
      {settings.flags.map((setting) => (
        <FlagRow key={setting.flag} setting={setting} mayChange={settings.mayChange} onTask={onTask} />
      ))}
    </AdminTable>
  </SettingSection>
);

interface FlagRowProps {
  setting: FlagSetting;
  mayChange: boolean;
  onTask: (task: SettingTask) => void;
}

const FlagRow = ({ setting, mayChange, onTask }: FlagRowProps) => {
  const { flag, threshold, preset, isFixed } = setting;
  const words = FLAG_WORDS[flag];
  return (
    <tr>
      <td className={table.name}>
        {words}
        <span className={`${table.small} ${styles.meaning}`}>{FLAG_MEANINGS[flag]}</span>
      </td>
      <td data-head="Raised">
        <Held words={enterWords(threshold)} preset={enterWords(preset)} />
      </td>
      <td data-head="Cleared">
        <Held words={leaveWords(threshold)} preset={leaveWords(preset)} />
      </td>
      <RowActions>
        {isFixed ? <span className={styles.fixed}>Set by the environment</span> : null}
        {!isFixed && mayChange && !isPreset(setting) ? (
          <RowAction words="Preset…" of={words} onPress={() => onTask({ kind: 'preset', setting })} />
        ) : null}
        {!isFixed && mayChange ? (
          <RowAction words="Change…" of={words} onPress={() => onTask({ kind: 'flag', setting })} />
        ) : null}
      </RowActions>
    </tr>
  );
};

/** What holds, and the preset where that is another. */
const Held = ({ words, preset }: { words: string; preset: string }) => (
  <>
    {words}
    {words === preset ? null : <span className={table.small}>preset: {preset}</span>}
  </>
);
