'use client';

import { Modal } from '@mantine/core';
import { useHasOtherFleets } from '../fleet-state/fleet-context';
import styles from './keyboard-help.module.css';

const SHORTCUTS: { keys: string[]; does: string }[] = [
  { keys: ['/'], does: 'Search: truck number, VIN, plate, make, model, year, device' },
  { keys: ['↑', '↓'], does: 'Previous, next unit of the list' },
  { keys: ['Enter'], does: 'Open the selected unit’s page' },
  { keys: ['Esc'], does: 'Clear the search, close the panel' },
  { keys: ['f'], does: 'Fit the map to the fleet' },
  { keys: ['?'], does: 'Show these shortcuts' },
];

/** Shown where there is more than one fleet. */
const FLEET_SHORTCUT = { keys: ['g'], does: 'Go to another fleet' };

/** The keyboard shortcuts of a fleet's pages. */
export const KeyboardHelp = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Modal.Root opened={opened} onClose={onClose} centered size={460}>
    <Modal.Overlay />
    <Modal.Content aria-label="Shortcuts" radius="lg">
      <Modal.Body className={styles.body}>
        <div className={styles.head}>
          <h2>Shortcuts</h2>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <dl className={styles.keys}>
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
        </dl>
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
