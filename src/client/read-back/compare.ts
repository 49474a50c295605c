import { wireAmount } from "../../contract/amount.ts";
import { compareDecimals, numberOf } from "../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { DEFAULT_WEIGHT, isMaskedRpcUrl, maskRpcUrl } from "../../contract/rpc-url.ts";
import { isSameSpelledNumber, spellingOf } from "../../contract/spelling.ts";

export interface Difference {
  path: string;
  requested: JsonValue;
  returned: JsonValue | undefined;
}

/** What a response proves about the request (promises 7.3). */
export interface WriteComparison {
  different: readonly Difference[];
  /** Requested fields that the response does not confirm or contradict: masked, absent, or in another JSON type. */
  unconfirmed: readonly string[];
}

type FieldComparison = "same" | "different" | "unconfirmed";

/** Returns the verdict on a returned value if null was requested. */
export type NullRule = (path: string, found: JsonValue) => FieldComparison;

/**
 * Compares the fields of the request with the fields of the response. Amounts are equal as numbers in any spelling, hex
 * ignores case, and all other text must match exactly. A requested null is confirmed by null or by absence; otherwise
 * `nulls` decides.
 */
export function compareFields(
  requested: JsonObject,
  returned: JsonObject,
  nulls: NullRule = () => "different",
): WriteComparison {
  const different: Difference[] = [];
  const unconfirmed: string[] = [];
  visitFields(requested, returned, "", (path, expected, found) => {
    const verdict =
      expected === null
        ? compareNull(found, (value) => nulls(path, value))
        : compareValue(path.slice(path.lastIndexOf(".") + 1), expected, found);
    if (verdict === "different") different.push({ path, requested: expected, returned: found });
    if (verdict === "unconfirmed") unconfirmed.push(path);
  });
  return { different, unconfirmed };
}

type Visit = (path: string, requested: JsonValue, returned: JsonValue | undefined) => void;

function visitFields(requested: JsonObject, returned: JsonValue | undefined, prefix: string, visit: Visit): void {
  for (const [key, expected] of Object.entries(requested)) {
    const found = isJsonObject(returned) ? returned[key] : undefined;
    if (isJsonObject(expected)) visitFields(expected, found, `${prefix}${key}.`, visit);
    else visit(prefix + key, expected, found);
  }
}

function compareNull(found: JsonValue | undefined, otherwise: (found: JsonValue) => FieldComparison): FieldComparison {
  return found === undefined || found === null ? "same" : otherwise(found);
}

function compareValue(field: string, expected: JsonValue, found: JsonValue | undefined): FieldComparison {
  if (found === undefined || found === null) return "unconfirmed";
  if (Array.isArray(expected) && Array.isArray(found)) return compareList(field, expected, found);
  if (isJsonObject(expected) && isJsonObject(found)) return compareEntry(expected, found);
  if (typeof expected === "boolean" && typeof found === "boolean") return comparedAs(expected === found);
  if (typeof expected === "string" && typeof found === "string") return compareText(field, expected, found);
  return compareNumber(field, expected, found);
}

function comparedAs(same: boolean): FieldComparison {
  return same ? "same" : "different";
}

/** Compares a number with text. Of text values, only amounts can be numbers. */
function compareNumber(field: string, expected: JsonValue, found: JsonValue): FieldComparison {
  if (typeof expected === "string" && spellingOf(field) !== "amount") return "unconfirmed";
  const amount = wireAmount(expected);
  const amountFound = wireAmount(found);
  if (amount !== undefined && amountFound !== undefined) return comparedAs(amount === amountFound);
  const [exact, other] = [numberOf(expected), numberOf(found)];
  if (!exact || !other) return "unconfirmed";
  return comparedAs(compareDecimals(exact, other) === 0 || isSameSpelledNumber(field, String(expected), String(found)));
}

function compareText(field: string, expected: string, found: string): FieldComparison {
  if (expected === found || meansTheSame(field, expected, found)) return "same";
  const isHidden = isMaskedRpcUrl(found) || expected.includes("@");
  return isHidden && maskRpcUrl(expected) === maskRpcUrl(found) ? "unconfirmed" : "different";
}

function meansTheSame(field: string, expected: string, found: string): boolean {
  switch (spellingOf(field)) {
    case "amount": {
      const amount = wireAmount(expected);
      return amount !== undefined && amount === wireAmount(found);
    }
    case "hex":
      return /^0x/i.test(expected) && expected.toLowerCase() === found.toLowerCase();
    case "text":
      return false;
  }
}

function compareList(field: string, expected: readonly JsonValue[], found: readonly JsonValue[]): FieldComparison {
  if (expected.length !== found.length) return "different";
  return worstComparison(expected.map((item, index) => compareValue(field, item, found[index])));
}

/** Compares a list entry, which is sent whole: an omitted field may come from the old entry (facts 4.4). */
function compareEntry(expected: JsonObject, found: JsonObject): FieldComparison {
  const fields = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return worstComparison(
    [...fields].map((field) => compareField(field, expected[field] ?? ENTRY_DEFAULTS[field], found[field])),
  );
}

const ENTRY_DEFAULTS: JsonObject = { weight: DEFAULT_WEIGHT };

function compareField(field: string, expected: JsonValue | undefined, found: JsonValue | undefined): FieldComparison {
  if (expected === undefined || expected === null) return compareNull(found, () => "unconfirmed");
  return compareValue(field, expected, found);
}

function worstComparison(comparisons: readonly FieldComparison[]): FieldComparison {
  return (["different", "unconfirmed"] as const).find((verdict) => comparisons.includes(verdict)) ?? "same";
}

export function holdsAlready(requested: JsonObject, seen: JsonObject): boolean {
  const { different, unconfirmed } = compareFields(requested, seen);
  return different.length === 0 && unconfirmed.length === 0;
}
