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
import styles from './sections.module.css';
import { Fact, Facts, Section, Verdict } from './facts';

interface CarrierSectionProps {
  vin: string | null;
  /** USDOT number of the fleet on the screen. */
  usdot: string;
  account: CarrierAccount | null;
}

/** The motor carrier that a VIN is registered to, compared with the fleet that it runs in. */
export const CarrierSection = ({ vin, usdot, account }: CarrierSectionProps) => {
  const { data: carrier, error, isFetching, refetch } = useVinCarrier(usdot, vin);
  if (vin === null) return <Message>Without a VIN no carrier can be looked up.</Message>;
  if (carrier) {
    if (carrier.usdot === null && carrier.mcNumber === null)
      return <Message>The provider knows no carrier of this VIN.</Message>;
    const name = account !== null && account.usdot === carrier.usdot ? isolated(account.companyName) : null;
    return <Known usdot={carrier.usdot} mcNumber={carrier.mcNumber} fleetUsdot={usdot} name={name} />;
  }
  if (error instanceof ServerProblemError && error.status === 404) {
    return <Message>The provider knows no carrier of this VIN.</Message>;
  }
  if (error && !isFetching) {
    return (
      <Message>
        {error.message}{' '}
        <BareButton className={styles.again} onClick={() => void refetch()}>
          Refresh
        </BareButton>
      </Message>
    );
  }
  return (
    <Section head="Carrier of this VIN">
      <Stack gap={12} pt={12} pb={8} aria-busy="true">
        <span className="visually-hidden">Loading the carrier.</span>
        <Skeleton height={12} width="70%" />
        <Skeleton height={12} width="55%" />
      </Stack>
    </Section>
  );
};

const Note = ({ children }: { children: ReactNode }) => (
  <Box component="p" mt={8} c="var(--lh-dim)" fz={13}>
    {children}
  </Box>
);

const Message = ({ children }: { children: ReactNode }) => (
  <Section head="Carrier of this VIN">
    <Note>{children}</Note>
  </Section>
);

interface KnownProps {
  usdot: string | null;
  mcNumber: string | null;
  fleetUsdot: string;
  name: string | null;
}

const Known = ({ usdot, mcNumber, fleetUsdot, name }: KnownProps) => {
  const isDemo = useIsDemo();
  const isOwn = usdot === fleetUsdot;
  const recordUrl = usdot === null ? null : toSaferUrl(usdot);
  const verdict =
    usdot === null ? null : isOwn ? (
      <Verdict verdict="right">this fleet</Verdict>
    ) : (
      <Verdict verdict="wrong">check lease</Verdict>
    );
  return (
    <Section head="Carrier of this VIN">
      <Facts>
        {name === null ? null : <Fact name="Name">{name}</Fact>}
        <Fact name="USDOT" aside={verdict}>
          {usdot}
        </Fact>
        <Fact name="MC number">{mcNumber === null ? null : (parseMcNumber(mcNumber) ?? mcNumber)}</Fact>
        {recordUrl === null ? null : (
          <Fact name="Public record">
            <a className={styles.record} href={recordUrl} target="_blank" rel="noopener">
              FMCSA company snapshot
              <IconExternalLink size={14} stroke={2} aria-hidden="true" />
              <span className="visually-hidden"> (opens in a new tab)</span>
            </a>
            {usdot !== null && isDemoUsdot(usdot, isDemo) ? (
              <span className={styles.note}>a made-up number: it has none</span>
            ) : null}
          </Fact>
        )}
      </Facts>
      {usdot === null || isOwn ? null : (
        <Note>
          The VIN is registered to USDOT {usdot}, this fleet is {fleetUsdot}. A leased truck may rightly
          differ.
        </Note>
      )}
    </Section>
  );
};
