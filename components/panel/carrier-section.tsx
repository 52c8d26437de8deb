import { Box, Skeleton, Stack } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useIsDemo } from '@/components/fleet-state/fleet-context';
import { parseMcNumber, toSaferUrl, isDemoUsdot } from '@/lib/identity/carrier-numbers';
import { useVinCarrier } from '@/lib/live/unit-queries';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import { isolated } from '@/lib/view/unit-name';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { VinCarrier } from '@/lib/wire/unit';
import styles from './sections.module.css';
import { Fact, Facts, Section, Verdict } from './facts';

interface CarrierSectionProps {
  vin: string | null;
  /** USDOT number of the fleet on the screen. */
  usdot: string;
  account: CarrierAccount | null;
}

/** The motor carrier that a VIN is registered to, compared with the fleet that it runs in. */
export const CarrierSection = (props: CarrierSectionProps) => (
  <Section head="Carrier of this VIN">
    <Carrier {...props} />
  </Section>
);

const NOT_KNOWN = 'The provider knows no carrier of this VIN.';

const Carrier = ({ vin, usdot, account }: CarrierSectionProps) => {
  const { data: carrier, error, isFetching, refetch } = useVinCarrier(usdot, vin);
  if (vin === null) return <Note>Without a VIN no carrier can be looked up.</Note>;
  if (carrier) {
    if (carrier.usdot === null && carrier.mcNumber === null) return <Note>{NOT_KNOWN}</Note>;
    const name = account !== null && account.usdot === carrier.usdot ? isolated(account.companyName) : null;
    return <Known {...carrier} fleetUsdot={usdot} name={name} />;
  }
  if (error instanceof ServerProblemError && error.status === 404) return <Note>{NOT_KNOWN}</Note>;
  if (error && !isFetching) {
    return (
      <Note>
        {error.message}{' '}
        <BareButton className={styles.again} onClick={() => void refetch()}>
          Refresh
        </BareButton>
      </Note>
    );
  }
  return (
    <Stack gap={12} pt={12} pb={8} aria-busy="true">
      <span className="visually-hidden">Loading the carrier.</span>
      <Skeleton height={12} width="70%" />
      <Skeleton height={12} width="55%" />
    </Stack>
  );
};

const Note = ({ children }: { children: ReactNode }) => (
  <Box component="p" mt={8} c="var(--lh-dim)" fz={13}>
    {children}
  </Box>
);

interface KnownProps extends VinCarrier {
  fleetUsdot: string;
  name: string | null;
}

const Known = ({ usdot, mcNumber, fleetUsdot, name }: KnownProps) => {
  const isDemo = useIsDemo();
  const isOwn = usdot === fleetUsdot;
  const verdict = isOwn ? (
    <Verdict verdict="right">this fleet</Verdict>
  ) : (
    <Verdict verdict="wrong">check lease</Verdict>
  );
  return (
    <>
      <Facts>
        {name === null ? null : <Fact name="Name">{name}</Fact>}
        <Fact name="USDOT" aside={usdot === null ? null : verdict}>
          {usdot}
        </Fact>
        <Fact name="MC number">{mcNumber === null ? null : (parseMcNumber(mcNumber) ?? mcNumber)}</Fact>
        {usdot === null ? null : <PublicRecord usdot={usdot} isMadeUp={isDemoUsdot(usdot, isDemo)} />}
      </Facts>
      {usdot === null || isOwn ? null : (
        <Note>
          The VIN is registered to USDOT {usdot}, this fleet is {fleetUsdot}. A leased truck may rightly
          differ.
        </Note>
      )}
    </>
  );
};

const PublicRecord = ({ usdot, isMadeUp }: { usdot: string; isMadeUp: boolean }) => {
  const href = toSaferUrl(usdot);
  return href === null ? null : (
    <Fact name="Public record">
      <a className={styles.record} href={href} target="_blank" rel="noopener">
        FMCSA company snapshot
        <IconExternalLink size={14} stroke={2} aria-hidden="true" />
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
      {isMadeUp ? <span className={`lh-small ${styles.note}`}>a made-up number: it has none</span> : null}
    </Fact>
  );
};
