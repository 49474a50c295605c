import fc from "fast-check";
import { type JsonObject, type JsonValue, mergePatch, writeJson } from "../../../src/contract/json.ts";
import { UNKNOWN } from "../../../src/fleet/config/file-report.ts";
import type { KnownSecrets } from "../../../src/fleet/known-secrets.ts";
import type { Plan } from "../../../src/fleet/plan.ts";
import { asReturned } from "../../helpers/as-returned.ts";
import { runs } from "../../helpers/deep.ts";
import { compared, desiredFleet, type Lists, resolved } from "../../helpers/fleet.ts";
import { CANARY, generatedFleet } from "../../helpers/generated-fleet.ts";
import { mutations } from "../../helpers/mutated-fleet.ts";

/** Knows every value as the last applied one. */
const ALL_KNOWN: KnownSecrets = { lastApplied: async () => async () => true };

function habits(seed: number, masks: boolean) {
  let state = seed;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state >> 8;
  };
  return { masks, next };
}

const RUNS = runs(2, 1_000);

const seeds = fc.nat({ max: 1_000_000 });
const services = fc.tuple(seeds, fc.boolean());

/** What a plan says, and nothing about places. */
function said({ changes, cannot, outside, not_compared }: Plan) {
  return { changes, cannot, outside, not_compared: not_compared.filter(({ reason }) => reason !== UNKNOWN) };
}

const NOTHING = { changes: [], cannot: [], outside: [], not_compared: [] };

test("finds no difference between files and a service that has what they describe", () =>
  fc.assert(
    fc.asyncProperty(generatedFleet, services, async (fleet, [seed, masks]) => {
      const { plan } = await compared(fleet, asReturned(fleet, habits(seed, masks)), { known: ALL_KNOWN });
      expect(said(plan)).toEqual(NOTHING);
    }),
    RUNS,
  ));

test("finds no difference anymore once its changes are made, and shows no secret", () =>
  fc.assert(
    fc.asyncProperty(generatedFleet, generatedFleet, services, async (files, before, [seed, masks]) => {
      const service = asReturned(before, habits(seed, false));
      const { plan, secrets } = await compared(files, service, {
        known: { lastApplied: async () => async () => false },
      });
      expect(writeJson(plan as unknown as JsonValue)).not.toContain(CANARY);
      expect(plan.cannot).toEqual([]);
      const after = applied(plan, service, secrets);
      const again = await compared(files, after, { known: ALL_KNOWN });
      expect(said(again.plan)).toEqual(NOTHING);
      const masked = asReturned(files, habits(seed, masks));
      expect(said((await compared(files, masked, { known: ALL_KNOWN })).plan)).toEqual(NOTHING);
    }),
    RUNS,
  ));

test("plans the same, whatever the order of the files and of the service", () =>
  fc.assert(
    fc.asyncProperty(generatedFleet, generatedFleet, seeds, fc.boolean(), async (files, before, seed, prune) => {
      const service = asReturned(before, habits(seed, true));
      const desired = desiredFleet({ ...files, signers: {} });
      const reversed = { ...desired, resources: desired.resources.toReversed() };
      const backwards = Object.fromEntries(
        Object.entries(service).map(([noun, items]) => [noun, Object.fromEntries(Object.entries(items).toReversed())]),
      );
      const options = { prune, sendHidden: true };
      const one = await compared(desired, { ...service, signers: { unused: {} } }, options);
      const other = await compared(reversed, { signers: { unused: {} }, ...backwards }, options);
      expect(writeJson(other.plan as unknown as JsonValue)).toBe(writeJson(one.plan as unknown as JsonValue));
    }),
    RUNS,
  ));

test("finds a difference in any one member, and no other", () =>
  fc.assert(
    fc.asyncProperty(generatedFleet, services, async (fleet, [seed, masks]) => {
      const service = asReturned(fleet, habits(seed, masks));
      for (const { noun, id, path, changed } of mutations(fleet)) {
        const { plan } = await compared(changed, service, { known: ALL_KNOWN });
        const found = [
          ...plan.changes.flatMap(({ noun, id, members }) => members.map((one) => ({ noun, id, ...one }))),
          ...plan.cannot,
        ];
        expect(found.map((one) => `${one.noun}/${one.id} ${one.path}`)).toEqual([`${noun}/${id} ${path}`]);
        expect(said(plan).not_compared).toEqual([]);
      }
    }),
    runs(1, 400),
  ));

function applied(plan: Plan, service: Lists, secrets: ReadonlyMap<string, string>): Lists {
  const after = Object.fromEntries(Object.entries(service).map(([noun, items]) => [noun, { ...items }]));
  for (const { noun, id, body } of plan.changes) {
    const items = after[noun] ?? {};
    const { signing_key, ...rest } = resolved(body, secrets) as JsonObject;
    const key = signing_key === undefined ? {} : { has_signing_key: signing_key !== "" };
    items[id] = mergePatch(items[id] ?? {}, { ...rest, ...key });
  }
  return after as Lists;
}
