import { expect, test } from "vitest";
import { isReserved } from "../../../src/embedded-server/webhooks/deliveries.ts";

test.each([
  ["https://hooks.example.org/x", true],
  ["https://example.com", true],
  ["http://relayer.test:8080", true],
  ["http://a.invalid", true],
  ["https://anexample.org", false],
  ["https://example.org.evil.io", false],
  ["http://127.0.0.1:8998/b", false],
  ["http://localhost:8998", false],
  ["not a url", false],
])("%s is reserved: %s", (url, expected) => expect(isReserved(url)).toBe(expected));
