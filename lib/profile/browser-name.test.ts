import { expect, it } from 'vitest';
import { deviceText } from './browser-name';

it('names browser and operating system as far as the User-Agent does', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
  expect(deviceText(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`)).toBe('Chrome on Windows');
  expect(deviceText(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/141.0`)).toBe('Edge on Windows');
  expect(deviceText(`Mozilla/5.0 (Linux; Android 15; Pixel) ${chrome}`)).toBe('Chrome on Android');
  expect(
    deviceText(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari on iPhone');
  expect(deviceText('curl/8.5.0')).toBe('Unknown browser');
  expect(deviceText(null)).toBe('Unknown browser');
});
