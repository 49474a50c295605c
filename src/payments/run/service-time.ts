import { receivedTime } from "../../contract/reply/received-time.ts";

/** Milliseconds between the earliest time that is possible for a record, and what the clocks show. */
const [MARGIN_IF_KNOWN, MARGIN_IF_UNKNOWN] = [60_000, 600_000];

/** What is known of the service's clock, which stamps the records. */
export interface ServiceTime {
  /**
   * Learns from a record that was created between a request and its response.
   * @param created as in the record
   * @param ended when its response was here, in milliseconds since 1970
   */
  seen(created: string | null | undefined, ended: number): void;
  /** Returns a time before which no record of a request that leaves now is created, in milliseconds since 1970. */
  earliest(now: number): number;
}

/**
 * Compares the clock of the service with that of this machine.
 * @param date the `Date` header of a response, if there is one
 * @param received when that response was here
 */
export function createServiceTime(date: string | undefined, received: number): ServiceTime {
  const stated = receivedTime(date);
  let ahead = Number.isNaN(stated) ? undefined : stated - received;
  return {
    seen(created, ended) {
      const time = receivedTime(created);
      // The earliest of several clocks counts: a proxy may have written the header.
      if (!Number.isNaN(time)) ahead = Math.min(ahead ?? Number.POSITIVE_INFINITY, time - ended);
    },
    earliest: (now) => now + (ahead ?? 0) - (ahead === undefined ? MARGIN_IF_UNKNOWN : MARGIN_IF_KNOWN),
  };
}
