import styles from './help-page.module.css';

/** What the demo is, and how one comes from it to a fleet of one's own. */
export const DemoHelp = () => (
  <section id="demo" aria-labelledby="demo-head" className={styles.demo}>
    <h2 id="demo-head" className={styles.head}>
      This is the demo
    </h2>
    <p className={styles.about}>
      The fleet is made up, and its trucks misbehave on purpose. You do not sign in, because only this machine
      reaches the server: everyone who opens it is a manager.
    </p>
    <dl className={styles.list}>
      <div className={styles.line}>
        <dt className={styles.name}>Ask everybody to sign in</dt>
        <dd>
          Start Linehaul with <code className="lh-code">ACCOUNTS=required</code>. It prints a code, by which
          you make the first manager.
        </dd>
      </div>
      <div className={styles.line}>
        <dt className={styles.name}>Show your own trucks</dt>
        <dd>
          Set <code className="lh-code">TRACKING_BASE_URL</code>,{' '}
          <code className="lh-code">TRACKING_API_KEY</code> and{' '}
          <code className="lh-code">TRACKING_PROVIDER_TOKEN</code>, as your provider gave them, and start
          again. The demo stays away.
        </dd>
      </div>
      <div className={styles.line}>
        <dt className={styles.name}>The whole way, on one page</dt>
        <dd>
          <code className="lh-code">docs/deployment.md</code>, beside the program: settings, TLS, users, keys,
          devices, single sign-on, mail, backup and upgrades.
        </dd>
      </div>
    </dl>
  </section>
);
