import styles from '@/components/desk/desk-page.module.css';

/** The fleets are read from a provider: its keys are made there. */
export const KeysElsewhere = ({ hosts }: { hosts: string[] }) => (
  <div className={styles.page}>
    <h1 className={styles.title}>API Keys</h1>
    <p className={styles.lead}>
      Linehaul reads your trucks from <b>{hosts.join(', ')}</b>, and keys are made there. Sign in to the
      provider’s dashboard, open <b>More → API Keys</b> in its left sidebar, choose <b>Add a key</b> at the
      top right, give the key a name and its access settings, and submit.
    </p>
    <p className={styles.lead}>
      You are given two secrets, the API key and the provider token. Whoever runs this server sets them as
      TRACKING_API_KEY and TRACKING_PROVIDER_TOKEN and starts it anew; they are never typed into a page.
    </p>
  </div>
);
