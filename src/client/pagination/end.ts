import { grouped } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import type { ApiRequest } from "../request.ts";

type Reason = "items" | "pages" | "memory" | "moving" | "past_end";

/**
 * Why a walk gave less than the list. `items`, `pages`, `memory`: a bound was reached. `moving`: what was given is not sure to
 * be all. `past_end`: the page that was asked for is after the last.
 */
export class PaginationEnd extends Error {
  override readonly name = "WalkEnd";
  readonly reason: Reason;
  /** The words of the command that shows the same list: `["tx", "list", "eth-main-1"]`. */
  readonly command: readonly string[];

  constructor(reason: Reason, { operation, parameters = {} }: ApiRequest) {
    super(reason);
    this.reason = reason;
    this.command = [...operation.id.split("."), ...Object.values(parameters)];
  }
}

/** A list, and how far the walk over it came. */
export interface Came {
  request: ApiRequest;
  read: number;
  total: number | undefined;
}

/**
 * The error for a list that is longer than may be read or held, whatever the service counts.
 * @param most how many items, pages, or bytes
 */
export function tooLong(
  reason: "items" | "pages" | "memory",
  most: number,
  { request, read, total }: Came,
): RelayctlError {
  const bound = reason === "memory" ? `${Math.round(most / 2 ** 20)} MiB of memory` : `${grouped(most)} ${reason}`;
  const all = total === undefined ? "an unknown number" : grouped(total);
  return new RelayctlError("server", `the list takes more than ${bound}, the limit for one list`, {
    because: [`${grouped(read)} of ${all} were read`],
    retryable: false,
    cause: new PaginationEnd(reason, request),
  });
}
