import { toPollStep } from '@/lib/sites/poll-step';
import type { SiteVisit } from '@/lib/sites/schema';
import { SiteTracker } from '@/lib/sites/site-tracker';
import type { FleetRows, ProblemKind } from '@/lib/wire/fleet';
import type { AlertChange, HeldAlert } from './engine/rule-state';
import { RuleEngine } from './engine/rule-engine';
import type { RuleConfig } from './engine/rule-engine';

/** What a fleet is watched for. */
export type WatchConfig = RuleConfig;

/** What the feed of a fleet starts to watch with. */
export interface WatchStart {
  config: WatchConfig;
  /** The open ones. */
  visits: readonly SiteVisit[];
  /** Those that are open or cool down. */
  alerts: readonly HeldAlert[];
}

/** The time of the last fix of each unit before a restart, Unix ms, and of those that were silent alone. */
export interface LastFixes {
  lastFixMs: ReadonlyMap<string, number>;
  silentFixMs: ReadonlyMap<string, number>;
}

/** What a poll showed: visits that began or ended, alerts that opened or closed. */
export interface Watched {
  visits: SiteVisit[];
  alerts: AlertChange[];
}

const NOTHING: Watched = { visits: [], alerts: [] };

/** Watches one fleet: where its units are, and what its rules find. Pure: rows and times are given to it. */
export class FleetWatch {
  readonly #tracker = new SiteTracker();
  readonly #engine = new RuleEngine();
  #before: FleetRows | null = null;
  /** There is a site or a rule. */
  #isOn = false;

  /** Sets sites, rules and tags, which count from the next poll on. */
  configure(config: WatchConfig): void {
    this.#isOn = config.sites.length + config.rules.length > 0;
    if (!this.#isOn) this.#before = null;
    this.#tracker.configure(config.sites);
    this.#engine.configure(config);
  }

  /** Continues with what was known before a restart; before the first poll, and after `configure`. */
  restore({ visits, alerts, lastFixMs, silentFixMs }: Omit<WatchStart, 'config'> & LastFixes): void {
    this.#tracker.restore({ visits, lastFixMs });
    this.#engine.restore(alerts, silentFixMs);
  }

  /**
   * What a poll showed that was seen at `seenMs`, Unix ms. Writes the column `siteId` of the rows. With a failure they are
   * those of an earlier poll.
   */
  observe(rows: FleetRows, { seenMs, failure }: { seenMs: number; failure: ProblemKind | null }): Watched {
    if (!this.#isOn) {
      this.#engine.forgetSilent();
      return NOTHING;
    }
    if (failure !== null) return { visits: [], alerts: this.#engine.observeFailure(seenMs) };
    const step = toPollStep(this.#before, rows, seenMs);
    this.#before = rows;
    const events = this.#tracker.observe(step);
    const alerts = this.#engine.observe(step, this.#tracker, events);
    return { visits: events.map(({ visit }) => visit), alerts };
  }
}
