import { describe, expect, it } from 'vitest';
import { UnknownRecordingError, parseRecording } from './recording';

describe('parseRecording', () => {
  it.each([
    ['id,device_id,timestamp,lat,lon', '“id”, “device_id”'],
    ['Vehicle_ID,timestamp,latitude,longitude,speed,Speed', '“speed”, “Speed”'],
    ['id,timestamp,lat,latitude,lon,speed_kph,speed_mph', '“lat”, “latitude”'],
  ])('refuses a header with two columns for one value: %s', (header, named) => {
    expect(() => parseRecording(`${header}\n1,2,3,4,5,6,7`)).toThrow(
      `its columns ${named} stand for the same`,
    );
  });

  it('names a device id that a spreadsheet has shortened', () => {
    const { fixes, unreadable } = parseRecording('id,timestamp,lat,lon\n3.53817E+14,1767323045,32,-96');
    expect(fixes).toEqual([]);
    expect(unreadable).toEqual([{ line: 2, message: expect.stringContaining('3.53817E+14') as string }]);
  });

  it('reads buses: ISO times with an offset, speeds in meters a second', () => {
    const { fixes, rows } = parseRecording(
      [
        'vehicle_id,timestamp,speed,route_id,trip_id,latitude,longitude,trip_headsign',
        '2619,2017-03-21T00:00:31-05:00,10,1,1723912,30.19826,-97.77679,"1-Metric, Southbound"',
      ].join('\r\n'),
    );
    expect(rows).toBe(1);
    expect(fixes).toEqual([
      {
        line: 2,
        deviceId: '2619',
        fixAtMs: Date.UTC(2017, 2, 21, 5, 0, 31),
        lat: 30.19826,
        lng: -97.77679,
        speedKph: 36,
        headingDeg: null,
        altitudeM: null,
        accuracyM: null,
        batteryPercent: null,
      },
    ]);
  });

  it('reads a truck: American times, x and y, speeds in miles an hour, no heading when it stands', () => {
    const { fixes } = parseRecording(
      [
        'ping_id,x,y,trace_id,timestamp,speed,heading',
        '1,-94.453295,33.4722903,1,2/1/2016 9:32,65,45',
        '2,-94.453295,33.4722903,1,2/1/2016 19:05,0,',
      ].join('\n'),
    );
    expect(fixes[0]).toMatchObject({
      deviceId: '1',
      fixAtMs: Date.UTC(2016, 1, 1, 9, 32),
      lat: 33.4722903,
      lng: -94.453295,
      speedKph: expect.closeTo(104.607, 2),
      headingDeg: 45,
    });
    expect(fixes[1]).toMatchObject({ fixAtMs: Date.UTC(2016, 1, 1, 19, 5), speedKph: 0, headingDeg: null });
  });

  it('reads columns of its own naming in any order, with the unit in the name', () => {
    const { fixes } = parseRecording(
      '\ufefflon,lat,Speed_Knots,timestamp,id,battery_percent\n-101.8,35.2,54,1767323045,truck-7,80\n',
    );
    expect(fixes[0]).toMatchObject({
      deviceId: 'truck-7',
      fixAtMs: 1_767_323_045_000,
      lat: 35.2,
      lng: -101.8,
      speedKph: expect.closeTo(100.008, 3),
      batteryPercent: 80,
    });
  });

  it('goes on after rows that cannot be read, and names their lines', () => {
    const { fixes, unreadable, rows } = parseRecording(
      [
        'id,timestamp,lat,lon',
        'a,1767323045,35,-101',
        'a,someday,35,-101',
        ',1767323045,35,-101',
        'a,1767323045,north,-101',
        'a,1767323045',
        'b,1767323045,35,-101',
      ].join('\n'),
    );
    expect(fixes.map(({ line }) => line)).toEqual([2, 7]);
    expect(unreadable).toEqual([
      { line: 3, message: expect.stringContaining('timestamp: expected a time') as string },
      { line: 4, message: 'id: expected a device id, got ""' },
      { line: 5, message: 'lat: expected a number, got "north"' },
      { line: 6, message: 'lat: expected a number, got nothing' },
    ]);
    expect(rows).toBe(6);
  });

  it('keeps a fix at 0,0: what to do with it is for the service to say', () => {
    expect(parseRecording('id,timestamp,lat,lon\na,1767323045,0.0,0.0').fixes).toHaveLength(1);
  });

  it('omits a speed that is a placeholder', () => {
    const { fixes, withoutSpeed } = parseRecording(
      'vehicle_id,timestamp,speed,latitude,longitude\n9302,2017-03-21T05:32:42-05:00,113.9952,30.2,-97.7',
    );
    expect(fixes[0]?.speedKph).toBeNull();
    expect(withoutSpeed).toEqual([{ line: 2, message: 'a speed of 113.9952 means no speed' }]);
  });

  it('refuses a file whose rest was not read, because too much of it is not CSV', () => {
    const rows = Array.from({ length: 250 }, () => 'a,"1767323045"x,35,-101');
    const text = ['id,timestamp,lat,lon', ...rows, 'b,1767323045,35,-101'].join('\n');
    expect(() => parseRecording(text)).toThrow(/200 faults of CSV syntax up to line \d+/);
  });

  it('refuses an unknown header, and lists the known ones', () => {
    expect(() => parseRecording('name,place\na,b')).toThrow(UnknownRecordingError);
    expect(() => parseRecording('name,place\na,b')).toThrow('id,timestamp,lat,lon');
  });
});
