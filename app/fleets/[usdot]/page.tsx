/** The map is in the layout, which keeps it while other pages of the fleet are shown. */
export default function FleetPage() {
  return null;
}
