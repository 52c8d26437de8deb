import { AdminPage } from '@/components/admin/admin-page';
import styles from './keys-elsewhere.module.css';

/** The fleets are read from a provider: its keys are made there. */
export const KeysElsewhere = ({ hosts }: { hosts: string[] }) => (
  <AdminPage
    title="API Keys"
    lead={
      <>
        Linehaul reads your trucks from <b>{hosts.join(', ')}</b>, and keys are made there. Nothing on this
        server makes one.
      </>
    }
  >
    <ol className={styles.steps}>
      <li>Sign in to the provider’s dashboard.</li>
      <li>
        In its left sidebar, open <b>More → API Keys</b>.
      </li>
      <li>
        Choose <b>Add a key</b> at the top right, give the key a name and its access settings, and submit.
      </li>
      <li>
        You get two secrets, the API key and the provider token. Set them in the server’s environment as{' '}
        <code>TRACKING_API_KEY</code> and <code>TRACKING_PROVIDER_TOKEN</code> and restart the server; they
        are never typed into a page.
      </li>
    </ol>
  </AdminPage>
);
