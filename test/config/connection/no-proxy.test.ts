import { expect, test } from "vitest";
import { isBypassed } from "../../../src/config/connection/proxy.ts";

test.each([
  ["*", "https://relayer.example.org", true],
  ["example.org", "https://relayer.example.org", true],
  [".example.org", "https://relayer.example.org", true],
  [".example.org", "https://example.org", true],
  ["*.example.org", "https://relayer.example.org", true],
  ["EXAMPLE.org.", "https://relayer.example.org", true],
  ["ample.org", "https://relayer.example.org", false],
  ["relayer.example.org.evil", "https://relayer.example.org", false],
  ["example.org:8443", "https://example.org:8443", true],
  ["example.org:443", "https://example.org", true],
  ["example.org:80", "http://example.org", true],
  ["example.org:8443", "https://example.org", false],
  ["one.example, two.example three.example", "https://three.example", true],
  ["", "https://example.org", false],
  [",,", "https://example.org", false],
  [".", "https://example.org", false],
  ["10.1.2.3", "http://10.1.2.3:8080", true],
  ["2.3", "http://10.1.2.3", false],
  ["10.0.0.0/8", "http://10.1.2.3", true],
  ["10.0.0.0/8", "http://11.1.2.3", false],
  ["192.168.1.128/25", "http://192.168.1.200", true],
  ["192.168.1.128/25", "http://192.168.1.100", false],
  ["192.168.1.7/32", "http://192.168.1.7", true],
  ["0.0.0.0/0", "http://1.2.3.4", true],
  ["10.0.0.0/33", "http://10.0.0.0", false],
  ["10.0.0.0/8", "https://example.org", false],
  ["fd00::1", "http://[fd00::1]:8080", true],
  ["[fd00::1]", "http://[fd00::1]", true],
  ["[fd00::1]:8080", "http://[fd00::1]:8080", true],
  ["fd00::2", "http://[fd00::1]", false],
])("NO_PROXY=%j excludes %s: %s", (list, origin, answer) => {
  expect(isBypassed(list, origin)).toBe(answer);
});
