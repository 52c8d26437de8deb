import type { Flag, Status } from '@/lib/motion/status';
import type { Explanation } from '@/lib/view/explanations';

export const STATUS_HELP: Record<Status, Explanation> = {
  moving: {
    means:
      'Two or more of its fixes lie far enough apart, and came soon enough after one another, to show motion. Speed and heading are worked out from these fixes. It stays moving through red lights and in traffic, down to 2 mph. “64 mph E at 10:12 AM” means that the last fix is from 10:12 AM, which is older than this truck’s usual interval.',
    act: 'Nothing. Open the truck to see how far it came in how long.',
  },
  stopped: {
    means:
      'Its fixes have stayed in one place for at least a minute. “Parked 2 h” counts from the first fix there. It has left only when it is more than 400 ft away, and farther where its own fixes are spread wider or are rounded, so a receiver that wanders does not set it in motion.',
    act: 'Nothing, unless it should be on the road.',
  },
  late: {
    means:
      'It is still listed, but no fix has come for three times its own usual interval, and for at least three minutes. A truck that reports every ten seconds is late sooner than one that reports every two minutes; one that paused lately must pause longer to be late again, and one that twice reported seldom where it stood is not late at each of its stops.',
    act: 'Wait a moment: dead zones are common. Call when it goes on; at half an hour it becomes silent.',
  },
  silent: {
    means: 'It does not report. The kinds below show what it did last, and so how urgent that is.',
    act: 'Begin with those that vanished while moving.',
  },
  unknown: {
    means:
      'Too little is known to tell its status: one fix only, none that can be used, the first one after a long pause or a jump, or fixes too far apart for parking and too close for driving. Every truck is unknown when Linehaul shows its fleet for the first time.',
    act: 'Wait for its next fixes: two that lie 0.2 mi apart show a drive, and two in one place a stop. The panel says what is missing. A phone that stands still reports every 5 minutes.',
  },
};

export const FLAG_HELP: Record<Flag, Explanation> = {
  noPosition: {
    means:
      'The provider lists the truck without coordinates, or with impossible ones. It is in the list and never drawn at a made-up place.',
    act: 'If it lasts, have the antenna and the tracker looked at.',
  },
  clockFault: {
    means:
      'The times of its reports cannot be trusted: they lie in the future, went back, stand still or are missing, the two times of a record disagree (whole hours are a time zone left out, a thousandfold is seconds taken for milliseconds), or they are 1024 weeks old, as after a GPS week rollover. While new reports arrive, the truck is shown as reporting: moving or stopped by when Linehaul received them, and without a speed. A time in the future never replaces a sane one.',
    act: 'Tell the provider which kind it is. Until then, trust where the truck is more than when it was there.',
  },
  impossibleJump: {
    means:
      'A fix lies farther away than any truck drives in that time. The old place is shown, and the new one is drawn as doubtful, until a second fix confirms it or the truck returns.',
    act: 'If it happens again and again, have the receiver looked at. After a ferry or a carriage by train it is true.',
  },
  duplicateVin: {
    means:
      'Two records of one answer carry this VIN. If one truck can have sent both, the newer fix is shown. If their names differ and they are too far apart, both are shown.',
    act: 'Ask the provider which device belongs to the vehicle, and have the other one taken off.',
  },
  badVin: {
    means:
      'The VIN fails its own check digit, or is none, in more than one answer in a row: a character was mistyped where it was entered.',
    act: 'Compare it with the plate on the door frame and have it corrected with the provider.',
  },
  notOnRoster: {
    means:
      'It reports for this USDOT number, but its VIN is not on the provider’s list of the fleet’s VINs. A truck you just added may show this flag until the roster is read again (up to 5 min), and for 6 min after that.',
    act: 'Find out whose truck it is. Add it to the roster, or have it taken off your account.',
  },
  wrongCarrier: {
    means:
      'The carrier record of its VIN names another USDOT number than the fleet that it drives in. Leased trucks may rightly differ. Linehaul looks up each VIN slowly in the background, more than once before it raises this flag, and keeps an answer for a day.',
    act: 'Check that a lease is in force and carried in the cab. If there is none, the registration is out of date.',
  },
  frozenPosition: {
    means:
      'New fixes keep coming, but repeat one place to the last digit, although it was driving and did not slow down. A parked truck is never flagged for standing still.',
    act: 'Do not rely on where it is shown. Call the driver, and have the receiver restarted.',
  },
  identityChange: {
    means:
      'Its device, truck number or plate became another, or belonged to another VIN before. The flag stays for a day, or for the time that is set.',
    act: 'If the device was moved or the truck renumbered, nothing. If not, two trucks may have been mixed up.',
  },
  vinMismatch: {
    means:
      'The VIN stands for another model year than the provider gives, or for another maker although the model or the year contradicts it too. A make alone is no mismatch, nor is one that is not in our table.',
    act: 'Compare both with the plate on the door frame: one of the two was entered wrongly.',
  },
  implausiblePosition: {
    means:
      'It is listed outside the land that this fleet drives: North America, and where its trucks were seen on three days. Often a sign is missing or the coordinates are swapped; then the flag says where the truck would be. It is drawn as a dotted ring.',
    act: 'Do not rely on where it is shown. Tell the provider which coordinates it sent.',
  },
  notIdentified: {
    means:
      'The provider does not say clearly which truck this is: several trucks share its VIN, device or truck number, or its VIN is missing or mistyped. Linehaul identifies it by the names that are left, and keeps its history.',
    act: 'Ask the provider for this truck’s VIN, and for a device id and truck number that no other truck has.',
  },
};
