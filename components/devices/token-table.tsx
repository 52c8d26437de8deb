'use client';

import { PrefixCell, RevocableCells, UseCells } from '@/components/admin/credential-cells';
import { AdminTable } from '@/components/admin/admin-table';
import styles from '@/components/admin/admin-table.module.css';
import type { IngestToken } from '@/lib/api-keys/schema';

interface TokenTableProps {
  tokens: IngestToken[];
  nowMs: number;
  onRevoke: (token: IngestToken) => void;
}

/** The tokens by which devices report. */
export const TokenTable = ({ tokens, nowMs, onRevoke }: TokenTableProps) => (
  <AdminTable label="Ingest tokens" columns={['Name', 'Begins with', 'Made', 'Last used', 'State']}>
    {tokens.map((token) => {
      const { id, name, revokedAtMs } = token;
      return (
        <tr key={id} data-ended={revokedAtMs !== null}>
          <td className={styles.name}>{name}</td>
          <PrefixCell prefix={token.prefix} />
          <UseCells {...token} nowMs={nowMs} />
          <RevocableCells {...token} nowMs={nowMs} onRevoke={() => onRevoke(token)} />
        </tr>
      );
    })}
  </AdminTable>
);
