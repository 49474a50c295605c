import { isJsonObject, type JsonValue } from "../../contract/json.ts";

/**
 * A pending health check of a disabled relayer. A disabled relayer without a check stays disabled, like those of the
 * demo seed.
 */
export interface HealthCheck {
  /** The relayer's ID. */
  id: string;
  /** The time of the check, in milliseconds since 1970. */
  due: number;
  /** The number of checks so far that found no change. */
  retries: number;
}

/** Parses a stored check; returns undefined for anything else. */
export function healthCheckIn(value: JsonValue): HealthCheck | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, due, retries } = value;
  const isCheck = typeof id === "string" && typeof due === "number" && typeof retries === "number";
  return isCheck ? { id, due, retries } : undefined;
}
