import { describe, expect, test } from "vitest";
import { createServiceTime } from "../../../src/payments/run/service-time.ts";

const NOW = Date.parse("2026-11-23T10:00:00Z");
const at = (offset: number) => new Date(NOW + offset).toISOString();

describe("the earliest time of a record", () => {
  test("is ten minutes ago if nothing is known of the service's clock", () => {
    expect(createServiceTime(undefined, NOW).earliest(NOW)).toBe(NOW - 600_000);
    expect(createServiceTime("soon", NOW).earliest(NOW)).toBe(NOW - 600_000);
  });

  test.each([[0], [-7_200_000], [7_200_000]])("follows a clock that is %d ms ahead", (ahead) => {
    const time = createServiceTime(new Date(NOW + ahead).toUTCString(), NOW);
    expect(time.earliest(NOW + 5_000)).toBe(NOW + 5_000 + ahead - 60_000);
  });

  test("follows the records if the header is from another clock", () => {
    const time = createServiceTime(at(0), NOW);
    time.seen(at(-300_000), NOW + 1_000);
    expect(time.earliest(NOW)).toBe(NOW - 301_000 - 60_000);
    time.seen(at(0), NOW);
    time.seen(null, NOW);
    expect(time.earliest(NOW)).toBe(NOW - 301_000 - 60_000);
  });
});
