/**
 * American English, the source of the catalog: ICU messages by key. The reader is a customer, not a dispatcher: "fix", "unit"
 * and "stop" are explained where they are used.
 */
export const en = {
  'age.seconds': '{n} s ago',
  'age.minutes': '{n} min ago',
  'age.hours': '{n} h ago',
  'age.days': '{n, plural, one {# day ago} other {# days ago}}',
  'duration.minutes': '{m} min',
  'duration.hours': '{h} h {m} min',
  'duration.days': '{d} d {h} h',
  'range.by': 'by {time}',
  'range.after': 'after {time}',

  'place.offset':
    '{distance} {direction, select, N {north} NE {northeast} E {east} SE {southeast} S {south} SW {southwest} W {west} other {northwest}} of {place}',
  'place.near': 'Near {place}',
  'place.area': 'The circle on the map has a radius of {distance}; the truck is somewhere in it.',
  'place.town': 'Only the nearest town is shown.',
  'place.unnamed': 'Far from any named place',

  'share.title': 'Live tracking · {carrier}',
  'share.load': 'Load',
  'share.truck': 'Truck',
  'share.loads': '{count, plural, one {# load} other {# loads}}',
  'share.trucks': '{count, plural, one {# truck} other {# trucks}}',
  'share.mixed': '{count, plural, one {# load or truck} other {# loads and trucks}}',
  'share.ended': 'Ended {moment}',

  'position.none.load': 'No position yet. It appears here once the truck with this load reports.',
  'position.none.truck': 'No position yet. It appears here once the truck reports.',
  'position.age': 'Position fix {age}',
  'position.delay': 'Shown with a delay of {duration}.',

  'status.moving': 'Moving',
  'status.moving.past': 'Was moving at {time}',
  'status.stopped': 'Stopped',
  'status.stopped.for': 'Stopped for {duration}',
  'status.stopped.past': 'Was stopped at {time}',
  'status.late': 'No news since {time}',
  'status.silent': 'No signal since {time}',
  'status.unknown': 'Moving or stopped: not known yet',
  'motion.heading':
    'heading {direction, select, N {north} NE {northeast} E {east} SE {southeast} S {south} SW {southwest} W {west} other {northwest}}',

  'arrival.at': 'Arrives at {stop}',
  'arrival.held': '8 of 10 such estimates held.',
  'arrival.none': 'No estimate right now',
  'arrival.here': 'At {stop}',
  'arrival.delivered': 'Delivered',
  'arrival.done': 'All stops done',
  'arrival.local': '{range} at the stop',
  appointment: 'Appointment {range}',
  'verdict.onTime': 'on time',
  'verdict.onTime.arrived': 'arrived on time',
  'verdict.atRisk': 'may be late',
  'verdict.atRisk.by': 'may be late, by up to {duration}',
  'verdict.late': 'late',
  'verdict.late.by': 'late by {duration} or more',
  'way.left': '{distance} to go',

  'truck.number': 'Truck',
  'truck.driver': 'Driver',
  'truck.vin': 'VIN',
  'truck.plate': 'Plate',

  stops: 'Stops',
  'stops.note': 'A truck reports from time to time: it arrived or left between two reports.',
  'stop.pickup': 'Pickup',
  'stop.delivery': 'Delivery',
  'stop.other': 'Stop',
  'stop.arrived': 'Arrived {range}',
  'stop.left': 'Left {range}',
  'stop.passed': 'Passed: not seen there',
  'stop.open': 'Not there yet',

  'map.label': 'Map',
  'map.next': 'Next stop: {stop}',

  'end.arrival': 'This page ends when the truck arrives.',
  'end.arrival.at': 'This page ends when the truck arrives at {place}.',
  'end.departure': 'This page ends when the truck leaves the last stop.',
  'end.departure.at': 'This page ends when the truck leaves {place}.',
  'end.delivery': 'This page ends when the load is delivered.',
  'end.time': 'This page ends {moment}.',
  'end.latest': 'At the latest: {moment}.',

  'times.zone': 'Times: {zone}.',
  'times.own': 'Times by your clock: {zone}.',
  'times.asOf': 'As of {moment}',
  'times.refreshed': 'The page updates itself.',
  'connection.lost': 'No connection since {time}. Shown is what was known then.',
  languages: 'Language',

  'ended.heading': 'This has ended',
  'ended.text': '{carrier} shared it until {moment}. Nothing more is shown here.',
  'nothing.heading': 'Nothing is shown here',
  'nothing.text': 'This link was mistyped, or is no longer open. Ask the person who sent it to you.',
  'busy.heading': 'Too many requests',
  'busy.text':
    'Your network has opened this page too often. It continues in {n, plural, one {# second} other {# seconds}}.',
  'fault.heading': 'Not available right now',
  'fault.text': 'This page cannot be shown at the moment. It tries again by itself.',

  'range.between': '{day}, between {from} and {to}',
  'range.between.days': 'between {from} and {to}',

  'mail.pickup.subject': 'Load {load}: picked up',
  'mail.pickup.text': '{carrier} has picked up load {load} at {stop}.',
  'mail.pickup.left': 'Picked up {range} ({zone}).',
  'mail.delivery.subject': 'Load {load}: delivered',
  'mail.delivery.text': '{carrier} has delivered load {load} at {stop}.',
  'mail.delivery.left': 'The truck left {range} ({zone}).',
  'mail.late.subject': 'Load {load}: expected after its appointment',
  'mail.late.text': '{carrier} expects load {load} at {stop} after its appointment.',
  'mail.late.window': 'Expected {range} ({zone}).',
  'mail.between': 'A truck reports from time to time: it left between two reports.',
  'mail.link': 'Where it is now:',
  'mail.end': 'No more mails about this load to this address:',

  'mailEnd.heading': 'End the mails about this load?',
  'mailEnd.text': 'No more mails about it are sent to the address that got this one.',
  'mailEnd.button': 'End the mails',
  'mailEnd.done.heading': 'No more mails',
  'mailEnd.done.text': 'Mails about this load are no longer sent to this address.',

  'calendar.name': 'Arrivals at {site}',
  'calendar.title': 'Load {load}',
  'calendar.truck': 'truck {truck}',
  'calendar.window': 'Expected to arrive {range} ({zone}).',
  'calendar.later': 'Expected to arrive about {range} ({zone}), by usual stays and drives.',
  'calendar.here': 'Arrived {range} ({zone}).',
  'calendar.appointment': 'Appointment {range} ({zone}).',
  'calendar.noWindow': 'No estimate right now: shown is its appointment.',
} as const;

export type MessageKey = keyof typeof en;
/** The messages of a language by their keys. */
export type Messages = Readonly<Record<MessageKey, string>>;
