import { groupDigits } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import type { ApiRequest } from "../request.ts";

type Reason = "items" | "pages" | "memory" | "moving" | "past_end";

/**
 * Why pagination ended before the end of the list. `items`, `pages`, `memory`: a limit was reached. `moving`: the
 * result may be incomplete. `past_end`: the requested page is after the last.
 */
export class PaginationEnd extends Error {
  override readonly name = "PaginationEnd";
  readonly reason: Reason;
  /** The words of the command that shows the same list: `["tx", "list", "eth-main-1"]`. */
  readonly command: readonly string[];

  constructor(reason: Reason, { operation, parameters = {} }: ApiRequest) {
    super(reason);
    this.reason = reason;
    this.command = [...operation.id.split("."), ...Object.values(parameters)];
  }
}

export interface ListProgress {
  request: ApiRequest;
  read: number;
  total: number | undefined;
}

export function paginationError(
  reason: "items" | "pages" | "memory",
  most: number,
  { request, read, total }: ListProgress,
): RelayctlError {
  const bound = reason === "memory" ? `${Math.round(most / 2 ** 20)} MiB of memory` : `${groupDigits(most)} ${reason}`;
  const all = total === undefined ? "an unknown number" : groupDigits(total);
  return new RelayctlError("server", `the list takes more than ${bound}, the limit for one list`, {
    because: [`${groupDigits(read)} of ${all} were read`],
    retryable: false,
    cause: new PaginationEnd(reason, request),
  });
}
