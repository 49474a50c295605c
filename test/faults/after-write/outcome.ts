import type { JsonObject } from "../../../src/contract/json.ts";
import { minedAs } from "../server/service/chain.ts";
import { realDialect } from "../server/service/dialect.ts";
import { createService, type Service } from "../server/service/service.ts";
import { hashOf, type State } from "../server/service/state.ts";

/** What becomes of a write on the chain: it is mined, an earlier version is, or nothing yet. */
export const OUTCOMES = ["won", "lost", "open"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Creates a service whose chain shows this outcome once a write was applied. */
export function serviceWith(outcome: Outcome): Service {
  const service = createService({ dialect: realDialect, routes: true });
  const original = { ...service.state.transactions.get("tx-evm") };
  return {
    ...service,
    consider(request) {
      const { apply, ...considered } = service.consider(request);
      if (!apply) return considered;
      const applyAndMine = () => {
        apply();
        if (request.method === "POST") sign(service.state, original);
        const { chain } = service.state;
        if (outcome === "open") chain.mined = [];
        if (outcome === "lost") chain.mined = [minedAs(hashOf(0), original)];
      };
      return { ...considered, apply: applyAndMine };
    },
  };
}

/** A new transaction has the nonce 7 and is mined at once. */
function sign({ transactions, chain }: State, { from = null, nonce = null, created_at = null }: JsonObject): void {
  const [id = "", sent = {}] = [...transactions].at(-1) ?? [];
  const signed = { ...sent, from, nonce, created_at, data: null, hash: hashOf(500), status: "submitted" };
  transactions.set(id, signed);
  chain.mined = [minedAs(hashOf(500), signed)];
}
