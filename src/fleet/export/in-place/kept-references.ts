import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import { isInterpolated, partsOf } from "../../config/interpolation.ts";
import { hiddenIn } from "../../hidden.ts";

/** Returns whether a value of a file comes from elsewhere: `${env:NAME}`, `${file:PATH}`, or `{"type": "env", …}`. */
export function isFromElsewhere(written: JsonValue | undefined): boolean {
  if (isJsonObject(written)) return written.type === "env" && typeof written.value === "string";
  if (typeof written !== "string" || !isInterpolated(written) || hiddenIn(written) !== undefined) return false;
  return partsOf(written).some((part) => "from" in part);
}
