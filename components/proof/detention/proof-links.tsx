import { Fragment } from 'react';
import { Link } from '@/components/ui/link';
import { useUsdot } from '@/components/fleet-state/fleet-context';

const PAGES = {
  documents: ['Documents', 'proof'],
  billable: ['Visits to bill', 'proof/billable'],
  statements: ['Statements by month', 'proof/statements'],
  terms: ['Terms of detention', 'proof/terms'],
} as const;

const LAST = 'terms';

/** The pages of the section, each always in its place. */
export const ProofLinks = ({ here }: { here: keyof typeof PAGES }) => {
  const base = `/fleets/${useUsdot()}`;
  return (
    <p>
      {Object.entries(PAGES).map(([name, [label, path]], i) => (
        <Fragment key={name}>
          {i === 0 ? '' : ' '}
          <span className="lh-nowrap">
            {name === here ? (
              <b>{label}</b>
            ) : (
              <Link href={`${base}/${path}`} prefetch={false}>
                {label}
              </Link>
            )}
            {name === LAST ? '' : ' ·'}
          </span>
        </Fragment>
      ))}
    </p>
  );
};
