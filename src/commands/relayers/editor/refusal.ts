import { RelayctlError } from "../../../errors.ts";

/** Whether the service has answered a change with a no that another text may turn into a yes, and applied nothing of it. */
export function isRefusal(error: unknown): error is RelayctlError {
  if (!(error instanceof RelayctlError) || error.applied !== "no") return false;
  return error.http?.method === "PATCH" && (error.failure === "rejected" || error.failure === "not_found");
}

/** A refusal for the top of the text that was refused, in the service's own words. */
export function refusalLines({ message, because, http }: RelayctlError): string[] {
  return [
    `the service refused this with ${http?.status ?? "a no"}, nothing was applied. Correct the text, or close it as it is to give up.`,
    ...[message, ...because].map((line) => `  ${line}`),
  ];
}
