'use client';

import { Button } from '@mantine/core';
import styles from '@/components/desk/desk-page.module.css';
import { momentWords } from '@/lib/view/clock';
import type { IngestToken } from '@/lib/wire/api-keys';

interface TokenTableProps {
  tokens: IngestToken[];
  nowMs: number;
  onRevoke: (token: IngestToken) => void;
}

/** The tokens by which devices report. */
export const TokenTable = ({ tokens, nowMs, onRevoke }: TokenTableProps) => (
  <div className={styles.scroller} tabIndex={0} role="region" aria-label="Ingest tokens">
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Begins with</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="lh-unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id} data-ended={token.revokedAtMs !== null}>
            <td className={styles.name}>{token.name}</td>
            <td className={styles.mono}>{token.prefix === null ? 'not known' : `${token.prefix}…`}</td>
            <td>
              {momentWords(token.createdAtMs, nowMs)}
              {token.createdBy === null ? null : <span className={styles.small}>{token.createdBy}</span>}
            </td>
            <td>{token.lastUsedAtMs === null ? 'Never' : momentWords(token.lastUsedAtMs, nowMs)}</td>
            <td>
              {token.revokedAtMs === null ? 'In use' : `Revoked ${momentWords(token.revokedAtMs, nowMs)}`}
            </td>
            <td>
              {token.revokedAtMs === null ? (
                <div className={styles.rowActions}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Revoke ${token.name}`}
                    onClick={() => onRevoke(token)}
                  >
                    Revoke
                  </Button>
                </div>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
