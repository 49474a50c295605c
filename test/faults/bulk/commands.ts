import { realDialect } from "../server/service/dialect.ts";
import { createService, type Service } from "../server/service/service.ts";

/** A command line that writes to three targets, one after the other, over connections that are used again. */
export interface BulkCommand {
  name: string;
  argv: readonly string[];
  ids: readonly string[];
  /** The write for a target. */
  request(id: string): { method: string; path: string };
  /** The end of the command that shows a target. */
  look(id: string): string;
  service(): Service;
  /** The IDs in the output that count as applied, if its items have other IDs. */
  shown?(items: readonly { id: string }[]): string[];
}

const RELAYERS = ["evm-1", "evm-3", "sol-1"];
const TRANSACTIONS = ["tx-evm", "tx-evm-2", "tx-evm-3"];
const FLAGS = ["--yes", "-o", "json", "--retries", "0", "--concurrency", "1"];

const relayers = [
  { verb: "pause", flags: [], paused: false },
  { verb: "resume", flags: [], paused: true },
  { verb: "update", flags: ["--name", "Renamed"], paused: false },
].map(
  ({ verb, flags, paused }): BulkCommand => ({
    name: `relayers ${verb}`,
    argv: ["relayers", verb, ...RELAYERS, ...flags, ...FLAGS],
    ids: RELAYERS,
    request: (id) => ({ method: "PATCH", path: `/api/v1/relayers/${id}` }),
    look: (id) => `relayers get ${id}`,
    service: () => withRelayers(paused),
  }),
);

/** What a freeze did to a relayer, as it is printed. */
interface Frozen {
  id: string;
  freeze: { state: string; canceled: string[]; cancellation_requested: string[] };
}

const freezes: readonly BulkCommand[] = [
  {
    name: "relayers freeze: pauses",
    argv: ["relayers", "freeze", ...RELAYERS, ...FLAGS, "--confirm", "3 relayers"],
    ids: RELAYERS,
    request: (id) => ({ method: "PATCH", path: `/api/v1/relayers/${id}` }),
    look: (id) => `relayers get ${id}`,
    service: () => withRelayers(false, true),
    shown: (items) => (items as Frozen[]).flatMap(({ id, freeze }) => (freeze.state === "paused" ? id : [])),
  },
  {
    name: "relayers freeze: cancellations",
    argv: ["relayers", "freeze", "evm-1", ...FLAGS],
    ids: [...TRANSACTIONS, "evm-1"],
    request: (id) => ({ method: "DELETE", path: `/api/v1/relayers/evm-1/transactions/${id}` }),
    look: (id) => `tx get evm-1 ${id}`,
    service: withTransactions,
    shown: (items) =>
      (items as Frozen[]).flatMap(({ id, freeze: { state, canceled, cancellation_requested: requested } }) => [
        ...[...canceled, ...requested].sort(),
        ...(state === "paused" ? [id] : []),
      ]),
  },
];

export const bulkCommands: readonly BulkCommand[] = [
  ...relayers,
  ...freezes,
  {
    name: "tx cancel-pending",
    argv: ["tx", "cancel-pending", "evm-1", ...FLAGS],
    ids: TRANSACTIONS,
    request: (id) => ({ method: "DELETE", path: `/api/v1/relayers/evm-1/transactions/${id}` }),
    look: (id) => `evm-1 ${id}`,
    service: withTransactions,
  },
];

function withRelayers(paused: boolean, isIdle = false): Service {
  const service = createService({ dialect: realDialect, routes: true });
  const { relayers, transactions } = service.state;
  if (isIdle) transactions.clear();
  for (const id of RELAYERS) relayers.set(id, { ...relayers.get(id), paused });
  return service;
}

function withTransactions(): Service {
  const service = createService({ dialect: realDialect, routes: true });
  const { transactions } = service.state;
  for (const id of TRANSACTIONS) transactions.set(id, { ...transactions.get("tx-evm"), id });
  return service;
}
