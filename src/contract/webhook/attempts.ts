/** The service's attempts to deliver an event (facts 7.1). */
export const DELIVERY_ATTEMPTS = 5;

/** Milliseconds before the second attempt, and the most before later ones, without the random part (facts 7.1). */
const FIRST_WAIT = 2000;
const LONGEST_WAIT = 8000;

/** Returns the milliseconds before an attempt, twice as many each time. @param fraction from 0 to 1, at random */
export function waitBeforeWebhookAttempt(attempt: number, fraction: number): number {
  return Math.min(FIRST_WAIT * 2 ** (attempt - 2), LONGEST_WAIT) * (1 + fraction);
}

/** Returns the least and the most milliseconds from the first to the last attempt, without request times. */
export function webhookRetryTime(): { least: number; most: number } {
  const attempts = Array.from({ length: DELIVERY_ATTEMPTS - 1 }, (_, index) => index + 2);
  const total = (fraction: number) =>
    attempts.reduce((sum, attempt) => sum + waitBeforeWebhookAttempt(attempt, fraction), 0);
  return { least: total(0), most: total(1) };
}
