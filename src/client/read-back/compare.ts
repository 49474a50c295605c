import { wireAmount } from "../../contract/amount.ts";
import { compareDecimals, numberOf } from "../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { DEFAULT_WEIGHT, isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { spellingOf } from "../../contract/spelling.ts";

/** One requested field with a different value in the response. */
export interface Difference {
  path: string;
  requested: JsonValue;
  returned: JsonValue | undefined;
}

/** What a response proves about the request (promises 7.3). */
export interface Comparison {
  different: readonly Difference[];
  /** Requested fields that the response does not confirm or contradict: masked, absent, or in another JSON type. */
  unconfirmed: readonly string[];
}

type Verdict = "same" | "different" | "unconfirmed";

/** Returns the verdict if null was requested and a value is returned. */
export type NullRule = (path: string, found: JsonValue) => Verdict;

/**
 * Compares the fields of the request with the fields of the response. Amounts are equal as numbers in any spelling, hex
 * ignores case, and all other text must match exactly. A requested null is confirmed by null or by absence; otherwise
 * `nulls` decides.
 */
export function compare(requested: JsonObject, returned: JsonObject, nulls: NullRule = () => "different"): Comparison {
  const different: Difference[] = [];
  const unconfirmed: string[] = [];
  visitFields(requested, returned, "", (path, wanted, found) => {
    const verdict =
      wanted === null
        ? compareNull(found, (value) => nulls(path, value))
        : compareValue(lastField(path), wanted, found);
    if (verdict === "different") different.push({ path, requested: wanted, returned: found });
    if (verdict === "unconfirmed") unconfirmed.push(path);
  });
  return { different, unconfirmed };
}

type Visit = (path: string, requested: JsonValue, returned: JsonValue | undefined) => void;

function visitFields(requested: JsonObject, returned: JsonValue | undefined, prefix: string, visit: Visit): void {
  for (const [key, wanted] of Object.entries(requested)) {
    const found = isJsonObject(returned) ? returned[key] : undefined;
    if (isJsonObject(wanted)) visitFields(wanted, found, `${prefix}${key}.`, visit);
    else visit(prefix + key, wanted, found);
  }
}

function lastField(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function compareNull(found: JsonValue | undefined, otherwise: (found: JsonValue) => Verdict): Verdict {
  return found === undefined || found === null ? "same" : otherwise(found);
}

/** Compares two values of one field. The field's name decides whether texts are amounts, hex, or plain words. */
function compareValue(field: string, wanted: JsonValue, found: JsonValue | undefined): Verdict {
  if (found === undefined || found === null) return "unconfirmed";
  if (Array.isArray(wanted) && Array.isArray(found)) return validateList(field, wanted, found);
  if (isJsonObject(wanted) && isJsonObject(found)) return validateEntry(wanted, found);
  if (typeof wanted === "boolean" && typeof found === "boolean") return verdict(wanted === found);
  if (typeof wanted === "string" && typeof found === "string") return compareText(field, wanted, found);
  return compareNumber(field, wanted, found);
}

function verdict(same: boolean): Verdict {
  return same ? "same" : "different";
}

/**
 * Compares values of which at least one is not a string: a requested number may be returned as a string, a string as a
 * number only if it is an amount.
 */
function compareNumber(field: string, wanted: JsonValue, found: JsonValue): Verdict {
  if (typeof wanted === "string" && spellingOf(field) !== "amount") return "unconfirmed";
  const amount = wireAmount(wanted);
  const answer = wireAmount(found);
  if (amount !== undefined && answer !== undefined) return verdict(amount === answer);
  const [exact, other] = [numberOf(wanted), numberOf(found)];
  return exact && other ? verdict(compareDecimals(exact, other) === 0) : "unconfirmed";
}

function compareText(field: string, wanted: string, found: string): Verdict {
  if (wanted === found || meansTheSame(field, wanted, found)) return "same";
  const isHidden = isMasked(found) || wanted.includes("@");
  return isHidden && maskRpcUrl(wanted) === maskRpcUrl(found) ? "unconfirmed" : "different";
}

function meansTheSame(field: string, wanted: string, found: string): boolean {
  switch (spellingOf(field)) {
    case "amount": {
      const amount = wireAmount(wanted);
      return amount !== undefined && amount === wireAmount(found);
    }
    case "hex":
      return /^0x/i.test(wanted) && wanted.toLowerCase() === found.toLowerCase();
    case "text":
      return false;
  }
}

function validateList(field: string, wanted: readonly JsonValue[], found: readonly JsonValue[]): Verdict {
  if (wanted.length !== found.length) return "different";
  return worst(wanted.map((item, index) => compareValue(field, item, found[index])));
}

/**
 * Compares a list entry. An entry is sent whole: an omitted field that is returned with a value may come from the old
 * entry, unless it is the service's default weight (facts 4.4).
 */
function validateEntry(wanted: JsonObject, found: JsonObject): Verdict {
  const fields = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  return worst([...fields].map((field) => validateField(field, wanted[field] ?? ENTRY_DEFAULTS[field], found[field])));
}

const ENTRY_DEFAULTS: JsonObject = { weight: DEFAULT_WEIGHT };

function validateField(field: string, wanted: JsonValue | undefined, found: JsonValue | undefined): Verdict {
  if (wanted === undefined || wanted === null) return compareNull(found, () => "unconfirmed");
  return compareValue(field, wanted, found);
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return (["different", "unconfirmed"] as const).find((verdict) => verdicts.includes(verdict)) ?? "same";
}
