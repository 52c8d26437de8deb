'use client';

import { Modal } from '@mantine/core';
import { useHasOtherFleets } from '../fleet-state/fleet-context';
import styles from './keyboard-help.module.css';

const KEYS: { keys: string[]; does: string }[] = [
  { keys: ['/'], does: 'Search: truck number, VIN, plate, make, model, year, device' },
  { keys: ['↑', '↓'], does: 'Previous, next unit of the list' },
  { keys: ['Enter'], does: 'Open the selected unit’s page' },
  { keys: ['Esc'], does: 'Clear the search, close the panel' },
  { keys: ['f'], does: 'Fit the map to the fleet' },
  { keys: ['?'], does: 'These keys' },
];

/** Where there is more than one fleet. */
const FLEET_KEY = { keys: ['g'], does: 'Go to another fleet' };

/** The keys, for those who keep a hand off the mouse. */
export const KeyboardHelp = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Modal.Root opened={opened} onClose={onClose} centered size={460}>
    <Modal.Overlay />
    <Modal.Content aria-label="Keys" radius="lg">
      <Modal.Body className={styles.body}>
        <div className={styles.head}>
          <h2>Keys</h2>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <dl className={styles.keys}>
          {(useHasOtherFleets() ? [FLEET_KEY, ...KEYS] : KEYS).map(({ keys, does }) => (
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
