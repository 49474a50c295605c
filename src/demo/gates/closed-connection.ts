/** Thrown for a request whose connection is to be closed without a reply, as where the service fails halfway (service-facts 1.9). */
export class ClosedConnection extends Error {
  override readonly name = "ClosedConnection";
}
