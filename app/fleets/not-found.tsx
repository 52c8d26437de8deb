import { AddressParameter } from '@/components/layout/address-parameter';
import { PlainPage } from '@/components/layout/plain-page';

export default function NoSuchUsdot() {
  return (
    <PlainPage head="No such fleet">
      <p>
        <AddressParameter name="usdot" /> is not a USDOT number, or you do not have access to its fleet. A
        USDOT number has one to eight digits and nothing else, as in <b>/fleets/9000001</b>.
      </p>
    </PlainPage>
  );
}
