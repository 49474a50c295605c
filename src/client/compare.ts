import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, NumberLiteral } from "../contract/json.ts";
import { isMasked, maskRpcUrl } from "../contract/rpc-url.ts";

/** One asked field that the answer holds differently. */
export interface Difference {
  path: string;
  asked: JsonValue;
  answered: JsonValue | undefined;
}

/** What an answer proves of what was asked (design 7). */
export interface Comparison {
  different: readonly Difference[];
  /** Asked fields of which the answer says nothing that could be compared: masked, absent, or in another JSON type. */
  unconfirmed: readonly string[];
}

export type Verdict = "same" | "different" | "unconfirmed";

/** What it means that a field comes back with a value although null was asked. */
export type NullRule = (path: string, found: JsonValue) => Verdict;

/**
 * Compares the members of `asked` with those of `answered`. Amounts are equal as numbers in any spelling, texts without
 * case where they are hex; a null that was asked is confirmed by null or by absence, else `nulls` is asked.
 */
export function compare(asked: JsonObject, answered: JsonObject, nulls: NullRule = () => "different"): Comparison {
  const different: Difference[] = [];
  const unconfirmed: string[] = [];
  walk(asked, answered, "", (path, wanted, found) => {
    const verdict = wanted === null ? judgeNull(found, (value) => nulls(path, value)) : judge(wanted, found);
    if (verdict === "different") different.push({ path, asked: wanted, answered: found });
    if (verdict === "unconfirmed") unconfirmed.push(path);
  });
  return { different, unconfirmed };
}

type Visit = (path: string, asked: JsonValue, answered: JsonValue | undefined) => void;

function walk(asked: JsonObject, answered: JsonValue | undefined, prefix: string, visit: Visit): void {
  for (const [key, wanted] of Object.entries(asked)) {
    const found = isJsonObject(answered) ? answered[key] : undefined;
    if (isJsonObject(wanted)) walk(wanted, found, `${prefix}${key}.`, visit);
    else visit(prefix + key, wanted, found);
  }
}

function judgeNull(found: JsonValue | undefined, otherwise: (found: JsonValue) => Verdict): Verdict {
  return found === undefined || found === null ? "same" : otherwise(found);
}

function judge(wanted: JsonValue, found: JsonValue | undefined): Verdict {
  if (found === undefined || found === null) return "unconfirmed";
  const amount = wireAmount(wanted);
  const answer = wireAmount(found);
  if (amount !== undefined && answer !== undefined) return verdict(amount === answer);
  if (Array.isArray(wanted) && Array.isArray(found)) return judgeList(wanted, found);
  if (isJsonObject(wanted) && isJsonObject(found)) return judgeMembers(wanted, found);
  return judgeScalar(wanted, found);
}

function judgeScalar(wanted: JsonValue, found: JsonValue): Verdict {
  if (typeof wanted === "string" && typeof found === "string") return judgeText(wanted, found);
  if (typeof wanted === "boolean" && typeof found === "boolean") return verdict(wanted === found);
  if (isNumeric(wanted) && isNumeric(found)) return verdict(Number(String(wanted)) === Number(String(found)));
  return "unconfirmed";
}

function verdict(same: boolean): Verdict {
  return same ? "same" : "different";
}

function isNumeric(value: JsonValue): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof NumberLiteral;
}

function judgeText(wanted: string, found: string): Verdict {
  if (wanted === found || (/^0x/i.test(wanted) && wanted.toLowerCase() === found.toLowerCase())) return "same";
  const isHidden = isMasked(found) || wanted.includes("@");
  return isHidden && maskRpcUrl(wanted) === maskRpcUrl(found) ? "unconfirmed" : "different";
}

function judgeList(wanted: readonly JsonValue[], found: readonly JsonValue[]): Verdict {
  if (wanted.length !== found.length) return "different";
  return worst(wanted.map((item, index) => judge(item, found[index])));
}

function judgeMembers(wanted: JsonObject, found: JsonObject): Verdict {
  return worst(
    Object.entries(wanted).map(([key, value]) =>
      value === null ? judgeNull(found[key], () => "unconfirmed") : judge(value, found[key]),
    ),
  );
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return (["different", "unconfirmed"] as const).find((verdict) => verdicts.includes(verdict)) ?? "same";
}
