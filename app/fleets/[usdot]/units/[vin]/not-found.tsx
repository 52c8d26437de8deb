import { NoSuchVin } from '@/components/vehicle/vehicle-page';

export default function NotFound() {
  return <NoSuchVin />;
}
