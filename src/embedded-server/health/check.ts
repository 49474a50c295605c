import { isJsonObject, type JsonValue } from "../../contract/json.ts";

/** A look at a relayer that was disabled. One without a check stays as it is, as those of the story. */
export interface HealthCheck {
  /** The relayer's. */
  id: string;
  /** When, in milliseconds since 1970. */
  due: number;
  /** How many found it as it was. */
  retries: number;
}

/** A check as it was kept; nothing for anything else. */
export function healthCheckIn(value: JsonValue): HealthCheck | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, due, retries } = value;
  const isCheck = typeof id === "string" && typeof due === "number" && typeof retries === "number";
  return isCheck ? { id, due, retries } : undefined;
}
