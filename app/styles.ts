/*
 * The styles of every screen of a fleet, imported by the root layout so that they are one style sheet: a browser
 * renders nothing before it has all style sheets of a page.
 */
import './global.css';
// Before those of the pages, which override it.
import '@/components/kit/full-page.module.css';
import '@/components/kit/split.module.css';
import '@/components/kit/table.module.css';
import '@/components/alert-bell/alert-bell.module.css';
import '@/components/alerts/alerts.module.css';
import '@/components/contacts/contacts.module.css';
import '@/components/fleet-shell/fleet-switcher.module.css';
import '@/components/fleet-shell/freshness-pill.module.css';
import '@/components/fleet-shell/notices.module.css';
import '@/components/fleet-shell/search-field.module.css';
import '@/components/fleet-shell/fleet-shell.module.css';
import '@/components/fleet/fleet-screen.module.css';
import '@/components/fleet/sheet.module.css';
import '@/components/getting-started/checklist.module.css';
import '@/components/history/history.module.css';
import '@/components/history/who/who.module.css';
import '@/components/layout/navigation.module.css';
import '@/components/layout/plain-page.module.css';
import '@/components/layout/shell.module.css';
import '@/components/list/list-pane.module.css';
import '@/components/list/unit-list.module.css';
import '@/components/map/fleet-map.module.css';
import '@/components/map/overlays/overlays.module.css';
import '@/components/notes/notes.module.css';
import '@/components/panel/near/near.module.css';
import '@/components/panel/sections.module.css';
import '@/components/panel/unit-panel.module.css';
import '@/components/past/time-bar.module.css';
import '@/components/roster/roster.module.css';
import '@/components/tags/tags.module.css';
import '@/components/ui/phone-number.module.css';
import '@/components/ui/weekly-hours/weekly-hours.module.css';
import '@/components/vehicle/day/day.module.css';
import '@/components/vehicle/day/compare.module.css';
import '@/components/vehicle/vehicle-page.module.css';
