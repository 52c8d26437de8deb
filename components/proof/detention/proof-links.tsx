import { Link } from '@/components/ui/link';
import { useUsdot } from '@/components/fleet-state/fleet-context';

const PAGES = {
  documents: ['Documents', 'proof'],
  billable: ['Visits to bill', 'proof/billable'],
  statements: ['Statements by month', 'proof/statements'],
  terms: ['Terms of detention', 'proof/terms'],
} as const;

/** The other pages of the section. */
export const ProofLinks = ({ here }: { here: keyof typeof PAGES }) => {
  const base = `/fleets/${useUsdot()}`;
  const others = Object.entries(PAGES).filter(([name]) => name !== here);
  return (
    <p>
      {others.map(([name, [label, path]], i) => (
        <span key={name}>
          {i === 0 ? '' : ' · '}
          <Link href={`${base}/${path}`} prefetch={false}>
            {label}
          </Link>
        </span>
      ))}
    </p>
  );
};
