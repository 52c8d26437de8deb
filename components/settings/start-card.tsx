import { AdminTable } from '@/components/admin/admin-table';
import table from '@/components/admin/admin-table.module.css';
import { startSettingWords } from '@/lib/settings/text';
import type { SettingsAnswer } from '@/lib/settings/schema';
import { SettingSection } from './setting-section';
import styles from './settings-page.module.css';

/** What the server was started with, which its environment alone changes. */
export const StartCard = ({ settings }: { settings: SettingsAnswer }) => (
  <SettingSection
    title="What the server was started with"
    lead="To change these, set the variables in the server’s environment and restart it. Secrets are not shown."
  >
    <AdminTable label="Start settings" columns={['Setting', 'Holds', 'Variable']} hasActions={false}>
      {settings.start.map(({ name, value }) => {
        const { label, words } = startSettingWords(name, value);
        return (
          <tr key={name}>
            <td className={table.name}>{label}</td>
            <td data-head="Holds">{words}</td>
            <td className={styles.variable} data-head="Variable">
              {name}
            </td>
          </tr>
        );
      })}
    </AdminTable>
  </SettingSection>
);
