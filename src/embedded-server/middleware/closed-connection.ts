/**
 * Thrown for a request whose connection has to be closed without a response, e.g. when the service fails halfway (facts
 * 1.9).
 */
export class ClosedConnection extends Error {
  override readonly name = "ClosedConnection";
}
