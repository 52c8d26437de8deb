import { momentWords } from '@/lib/view/clock';
import type { IngestToken } from '@/lib/api-keys/schema';
import { RowAction, RowActions } from './admin-table';
import { Breakable } from '../ui/breakable';
import styles from './admin-table.module.css';

/** How the secret of a key or token begins. */
export const PrefixCell = ({ prefix }: Pick<IngestToken, 'prefix'>) => (
  <td data-head="Begins with" className="lh-code">
    {prefix === null ? 'not known' : `${prefix}…`}
  </td>
);

interface UseCellsProps extends Pick<IngestToken, 'createdAtMs' | 'createdBy' | 'lastUsedAtMs'> {
  nowMs: number;
}

/** When and by whom a key or token was made, and when it was last used. */
export const UseCells = ({ createdAtMs, createdBy, lastUsedAtMs, nowMs }: UseCellsProps) => (
  <>
    <td data-head="Made">
      {momentWords(createdAtMs, nowMs)}
      {createdBy === null ? null : (
        <span className={styles.small}>
          <Breakable text={createdBy} />
        </span>
      )}
    </td>
    <td data-head="Last used">{lastUsedAtMs === null ? 'Never' : momentWords(lastUsedAtMs, nowMs)}</td>
  </>
);

interface RevocableCellsProps extends Pick<IngestToken, 'name' | 'revokedAtMs'> {
  nowMs: number;
  onRevoke: () => void;
}

/** Whether a credential is still valid, and the button that revokes it. */
export const RevocableCells = ({ name, revokedAtMs, nowMs, onRevoke }: RevocableCellsProps) => (
  <>
    <td data-head="State">
      {revokedAtMs === null ? 'In use' : `Revoked ${momentWords(revokedAtMs, nowMs)}`}
    </td>
    <RowActions>
      {revokedAtMs === null ? <RowAction words="Revoke" of={name} onPress={onRevoke} /> : null}
    </RowActions>
  </>
);
