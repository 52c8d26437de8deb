import type { Site, SiteVisit } from './schema';

/** What a feed watches for beside the units themselves. */
export interface WatchStart {
  sites: Site[];
  /** The open visits, with which a feed starts. */
  visits: SiteVisit[];
}

/** What a poll showed of what is watched: visits that began or ended. */
export interface Watched {
  visits: SiteVisit[];
}
