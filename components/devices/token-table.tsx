'use client';

import { DeskTable, RowAction, RowActions } from '@/components/desk/desk-table';
import styles from '@/components/desk/desk-table.module.css';
import { momentWords } from '@/lib/view/clock';
import type { IngestToken } from '@/lib/wire/api-keys';

interface TokenTableProps {
  tokens: IngestToken[];
  nowMs: number;
  onRevoke: (token: IngestToken) => void;
}

/** The tokens by which devices report. */
export const TokenTable = ({ tokens, nowMs, onRevoke }: TokenTableProps) => (
  <DeskTable label="Ingest tokens" columns={['Name', 'Begins with', 'Made', 'Last used', 'State']}>
    {tokens.map((token) => {
      const { id, name, prefix, createdAtMs, createdBy, lastUsedAtMs, revokedAtMs } = token;
      return (
        <tr key={id} data-ended={revokedAtMs !== null}>
          <td className={styles.name}>{name}</td>
          <td data-head="Begins with" className="lh-code">
            {prefix === null ? 'not known' : `${prefix}…`}
          </td>
          <td data-head="Made">
            {momentWords(createdAtMs, nowMs)}
            {createdBy === null ? null : <span className={styles.small}>{createdBy}</span>}
          </td>
          <td data-head="Last used">{lastUsedAtMs === null ? 'Never' : momentWords(lastUsedAtMs, nowMs)}</td>
          <td data-head="State">
            {revokedAtMs === null ? 'In use' : `Revoked ${momentWords(revokedAtMs, nowMs)}`}
          </td>
          <RowActions>
            {revokedAtMs === null ? (
              <RowAction words="Revoke" of={name} onPress={() => onRevoke(token)} />
            ) : null}
          </RowActions>
        </tr>
      );
    })}
  </DeskTable>
);
