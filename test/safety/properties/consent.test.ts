import fc from "fast-check";
import { effectOf } from "../../../src/contract/effect.ts";
import { parseJson } from "../../../src/contract/json.ts";
import { operations } from "../../../src/contract/operations.ts";
import { runs } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { type Json, mergePatched } from "./merge-patched.ts";
import { type Fields, ordinaryPatch, SAMPLES, typesOf } from "./relayer-patches.ts";

const RUNS = runs(250, 200_000);

/** Whatever may stand anywhere in JSON; what empties or replaces comes often. */
const anything = fc.oneof(
  fc.constantFrom<Json>(null, [], "", {}, false, true, 0, 1, -1, 1.5, "x", "0x1", [""], [null], [[]], [{}]),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

/** A key of the patch, a similar key, or any other. */
const anyKey = fc.oneof(
  fc.constantFrom(...new Set(SAMPLES.flatMap((sample) => Object.keys(typesOf(sample))))),
  fc.constantFrom(
    "policies",
    "Policies",
    "POLICIES",
    "whitelist_receivers",
    "Whitelist_receivers",
    "owner",
    "__proto__",
  ),
  fc.string({ maxLength: 4 }),
);

const anyOrdinary = fc.oneof(...SAMPLES.map(ordinaryPatch));

/** The members that limit what a relayer may do (facts 4.3). */
const GUARDS = ["whitelist_receivers", "allowed_programs", "allowed_accounts", "allowed_tokens", "disallowed_accounts"];

/** An ordinary patch with anything at one place of it: at the root, a member, or deeper; or with a guard that ends. */
const brokenPatch = fc.oneof(
  fc
    .tuple(anyOrdinary, fc.array(anyKey, { maxLength: 3 }), fc.boolean(), anything)
    .map(([patch, path, below, value]) => put(patch, below ? ["policies", ...path] : path, value)),
  fc
    .tuple(anyOrdinary, fc.constantFrom(...GUARDS), fc.constantFrom<Json>(null, []))
    .map(([patch, guard, value]) => put(patch, ["policies", guard], value)),
);

function put(target: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value;
  const fields = isObject(target) ? Object.entries(target) : [];
  const old = fields.find(([name]) => name === key)?.[1] ?? {};
  return Object.fromEntries([...fields.filter(([name]) => name !== key), [key, put(old, rest, value)]]);
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function consentTo(patch: Json): string {
  return effectOf(operations["relayers.update"], parseJson(JSON.stringify(patch))).consent;
}

/** Whether the relayer after a merge patch has lost its policies, or one of its guards is not a list with something in it. */
function opens(before: Json, patch: Json): boolean {
  const after = mergePatched(before, patch);
  if (!isObject(after) || !isObject(after.policies)) return true;
  const { policies } = after;
  const named = isObject(patch) && isObject(patch.policies) ? Object.keys(patch.policies) : [];
  return GUARDS.some((guard) => {
    const value = policies[guard];
    return named.includes(guard) && !(Array.isArray(value) && value.length > 0);
  });
}

/** Whether each member has a name and a type that the interface gives it, on some kind of relayer. */
function isUnderstood(patch: Json): boolean {
  if (!isObject(patch)) return false;
  const kinds = SAMPLES.map(typesOf);
  return Object.entries(patch).every(([key, value]) =>
    key === "policies"
      ? isObject(value) &&
        Object.entries(value).every(([name, one]) => kinds.some((types) => isTyped(types, name, one)))
      : kinds.some(({ "": top }) => isTyped(top as Fields, key, value)),
  );
}

function isTyped(types: Fields, name: string, value: Json): boolean {
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (typeof type === "function") return type(value);
  if (type === undefined || value === null) return type !== undefined;
  return isObject(value) && Object.entries(value).every(([key, one]) => isTyped(type, key, one));
}

test("a patch that removes limits, resets a relayer, or is unknown requires the relayer's ID", () => {
  let [dangerous, unasked] = [0, 0];
  fc.assert(
    fc.property(brokenPatch, (patch) => {
      const isDangerous = !isUnderstood(patch) || SAMPLES.some((sample) => opens(sample, patch));
      dangerous += isDangerous ? 1 : 0;
      const asksId = consentTo(patch) === "id";
      unasked += isDangerous && !asksId ? 1 : 0;
      expect(isDangerous && !asksId).toBe(false);
    }),
    RUNS,
  );
  figure("merge patches that open or reset a relayer, or are not understood", dangerous);
  figure("of these sent without the relayer's ID", unasked);
});

test("an ordinary patch requires no confirmation", () => {
  fc.assert(
    fc.property(anyOrdinary, (patch) => {
      expect(consentTo(patch)).toBe("none");
    }),
    RUNS,
  );
});

test("the generated patches include every sort", () => {
  const patches = fc.sample(brokenPatch, 1_000);
  const isOpening = (patch: Json) => SAMPLES.some((sample) => opens(sample, patch));
  expect(patches.some((patch) => !isUnderstood(patch))).toBe(true);
  expect(patches.some((patch) => isUnderstood(patch) && isOpening(patch))).toBe(true);
  expect(patches.some((patch) => isUnderstood(patch) && !isOpening(patch))).toBe(true);
});
