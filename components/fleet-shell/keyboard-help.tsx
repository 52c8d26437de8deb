import { Modal, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useHasOtherFleets } from '../fleet-state/fleet-context';
import { DialogContent } from '../ui/dialog-content';
import styles from './fleet-shell.module.css';

const SHORTCUTS: { keys: string[]; does: string }[] = [
  {
    keys: ['/'],
    does: 'Search trucks by number, VIN, plate, make, device, contact, load or notes; loads, tags, sites, towns, ZIP codes, states and coordinates',
  },
  { keys: ['↑', '↓'], does: 'Previous, next truck of the list' },
  { keys: ['Enter'], does: 'Open the selected truck’s page' },
  { keys: ['c'], does: 'Copy the number to call about the selected truck' },
  { keys: ['Esc'], does: 'Clear the search, close the panel, go back to live' },
  { keys: ['f'], does: 'Fit the map to the fleet, or to a truck’s day' },
  { keys: ['d'], does: 'Nearest trucks to the middle of the map' },
  { keys: ['m'], does: 'Measure a distance or an area on the map' },
  { keys: ['v'], does: 'Saved views' },
  { keys: ['p'], does: 'Back in time: open or close the time bar' },
  { keys: ['s'], does: 'Show or hide the sites on the map' },
  { keys: ['←', '→'], does: 'On the time bar: 1 min back or forward; ↑ ↓ 10 min, Page Up/Down 1 h' },
  { keys: ['←', '→'], does: 'A truck’s day: fix before, fix after' },
  { keys: ['Space'], does: 'On the time bar and a truck’s day: play, pause' },
  { keys: ['a'], does: 'Open the alerts' },
  { keys: ['+'], does: 'On the page Loads: a new load' },
  { keys: ['n'], does: 'Go to the truck of the newest alert' },
  {
    keys: ['↑', '↓'],
    does: 'In the list of alerts: the one before, after; Enter shows its truck, k acknowledges it',
  },
  { keys: ['x'], does: 'In the list of alerts: select it; Shift with ↑ ↓ a range, Ctrl+A all' },
  { keys: ['?'], does: 'Show these shortcuts' },
];

const FLEET_SHORTCUT = { keys: ['g'], does: 'Go to another fleet' };

export const KeyboardHelp = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  // The focus returns to what had it when the dialog changed from closed to open.
  <Modal.Root opened={useMounted() && opened} onClose={onClose} centered size={460}>
    <DialogContent title="Shortcuts">
      <Stack component="dl" gap={2}>
        {(useHasOtherFleets() ? [FLEET_SHORTCUT, ...SHORTCUTS] : SHORTCUTS).map(({ keys, does }) => (
          <div key={does} className={styles.line}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </Stack>
    </DialogContent>
  </Modal.Root>
);
