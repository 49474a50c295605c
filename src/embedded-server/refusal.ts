import type { JsonObject } from "../contract/json.ts";

/** The real service's words, if they differ from the interface's or the interface has none. */
export interface ServiceWords {
  status?: number;
  message?: string;
  plain?: true;
}

interface RefusalOptions {
  headers?: Readonly<Record<string, string>>;
  service?: ServiceWords;
}

/** A refused request. Without a message the response body is empty, as for an unknown route. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: ServiceWords;

  constructor(status: number, message: string, { headers = {}, service = {} }: RefusalOptions = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.service = service;
  }
}

const unknownError = { status: 500, message: "An unknown error occurred" };

/** The messages of interface 1.4, which specifies no statuses, with the statuses of facts 1.9 and the usual 409. */
export const badRequest = () => new Refusal(400, "Bad Request");
/** Refuses a body or query of the wrong shape, which the service reports as text (facts 1.8). */
export const malformedBody = (message: string) =>
  new Refusal(400, "Bad Request", { service: { message, plain: true } });
export const invalidToken = () => new Refusal(401, "Unauthorized");
export const notificationMissing = (id: string) =>
  new Refusal(404, "Notification not found", { service: { message: `Notification with ID '${id}' not found` } });
export const replacedMissing = () => new Refusal(404, "Not found");
export const notificationExists = () =>
  new Refusal(409, "Notification with this ID already exists", { service: unknownError });
export const tooManyRequests = () => new Refusal(429, "Too Many Requests", { headers: { "retry-after": "0" } });
export const serverFault = () => new Refusal(500, "Internal Server Error", { service: unknownError });

/** Refuses an unknown path, or a known one without this method (facts 1.6). */
export const noRoute = () => new Refusal(404, "");

/** Refuses over sockets only (facts 1.8). */
export const tooLarge = (most: number, declared?: string) =>
  new Refusal(
    413,
    declared === undefined
      ? `JSON payload has exceeded limit (${most} bytes).`
      : `JSON payload (${declared} bytes) is larger than allowed (limit: ${most} bytes).`,
    { service: { plain: true } },
  );

/** The message for an unknown ID (facts 3.4), unlike the response for a missing route, contains the ID. */
export const transactionUnknown = (id: string) => new Refusal(404, `Transaction with ID ${id} not found`);

/** Refuses to delete a used resource; its relayers are listed by name, not by ID (facts 6 and 8.1). */
export const stillUsed = (what: string, id: string, users: readonly JsonObject[]) =>
  new Refusal(
    400,
    `Cannot delete ${what} '${id}' because it is being used by ${users.length} relayer(s): ${users.map(({ name }) => String(name)).join(", ")}. Please remove or reconfigure these relayers before deleting the ${what}.`,
  );

/** Refuses to delete a relayer with pending transactions (facts 3.1). */
export const relayerBusy = (id: string, count: number) =>
  new Refusal(
    400,
    `Cannot delete relayer '${id}' because it has ${count} transaction(s). Please wait for all transactions to complete or cancel them before deleting the relayer.`,
  );

/** Refuses an action in this state, in the words of the service's source (facts 5.4 and 5.5). */
export const wrongState = (action: "replace" | "cancel", status: string) =>
  new Refusal(
    400,
    `Invalid transaction state for ${action}_transaction. Current: ${status.charAt(0).toUpperCase()}${status.slice(1)}, Expected one of: [Pending, Sent, Submitted]`,
  );
export const unsupportedOnSolana = () => new Refusal(400, "Endpoint is not supported for Solana relayers");
