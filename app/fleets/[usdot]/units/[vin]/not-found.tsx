import { NoSuchVin } from '@/components/vehicle/no-such-vin';

export default function NotFound() {
  return <NoSuchVin />;
}
