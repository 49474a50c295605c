import { DEEP } from "../../helpers/deep.ts";
import type { FaultServerOptions } from "../server/fault-server.ts";
import { numberOf } from "../table/combinations.ts";
import type { Fault } from "../table/fault.ts";
import { ELSEWHERE } from "../table/faults/refused.ts";
import { anyRead, anyRpc } from "./faults.ts";
import { OUTCOMES, type Outcome, serviceWith } from "./outcome.ts";

/** Of so many combinations one is run. */
const ONE_IN = DEEP ? 1 : 300;

/** A fault of reads that follow a write, and what becomes of the write. */
interface Case {
  name: string;
  match: { method: string; path?: string };
  fault: Fault;
  outcome: Outcome;
}

/** The reads that follow a write. */
const READS: readonly { name: string; match: { method: string; path?: string }; faults: readonly Fault[] }[] = [
  { name: "every read", match: { method: "GET" }, faults: anyRead },
  { name: "the relayer", match: { method: "GET", path: "/api/v1/relayers/evm-1" }, faults: anyRead },
  { name: "the network", match: { method: "GET", path: "/api/v1/networks/evm:testnet" }, faults: anyRead },
  { name: "the node", match: { method: "POST", path: "/api/v1/relayers/evm-1/rpc" }, faults: anyRpc },
];

const cases: readonly Case[] = READS.flatMap(({ name, match, faults }) =>
  faults.flatMap((fault) =>
    OUTCOMES.map((outcome) => ({ name: `${outcome}, ${name}: ${fault.name}`, match, fault, outcome })),
  ),
);

export function sampleFor(command: string): Case[] {
  return cases.filter(({ name }) => numberOf(`${command} ${name}`) % ONE_IN === 0);
}

/** Returns the service with a fault. @param elsewhere an origin that is never to be asked */
export function worldOf({ match, fault, outcome }: Omit<Case, "name">, elsewhere: string): FaultServerOptions {
  const steps = fault.steps.map((step) =>
    step.do === "send" ? { ...step, text: step.text.replaceAll(ELSEWHERE, elsewhere) } : step,
  );
  return {
    service: serviceWith(outcome),
    scripts: [{ match: { ...match, afterWrite: true, ...(fault.once && { nth: 1 }) }, steps }],
  };
}
