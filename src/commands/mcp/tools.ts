import { SPEEDS } from "../../contract/transaction/replacement-price.ts";

export interface Parameter {
  type: "string" | "integer" | "boolean" | "array";
  description?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
}

export type Arguments = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Tool {
  name: string;
  description: string;
  parameters: Readonly<Record<string, Parameter>>;
  required?: readonly string[];
  /** Returns the words before `--`, and those after it, which are never flags. */
  line(given: Arguments): { words: readonly string[]; names?: readonly unknown[] };
  /** Set if it returns a proposal of the command. */
  proposes?: true;
}

const textParameter = (description: string): Parameter => ({ type: "string", description });
const listParameter = (description: string): Parameter => ({ type: "array", description });
const choiceParameter = (...words: string[]): Parameter => ({ type: "string", enum: words });

/** The longest `wait`, in seconds, since clients give up on long calls. */
const LONGEST_WAIT_SECONDS = 30;

const RELAYERS = listParameter("Relayer IDs (default: all)");
const RELAYER = textParameter("Relayer ID");
const TRANSACTION = textParameter("Transaction ID");
const SPEED = choiceParameter(...SPEEDS);

/** Returns a flag and its value in one word, so that a value is never a flag; empty without a value. */
function flag(name: string, value: Arguments[string]): string[] {
  if (value === undefined || value === false) return [];
  return [value === true ? `--${name}` : `--${name}=${Array.isArray(value) ? value.join(",") : value}`];
}

const READS: readonly Tool[] = [
  {
    name: "status",
    description: "State of relayers: disabled or paused and why, balance, pending transactions.",
    parameters: { relayers: RELAYERS },
    line: ({ relayers }) => ({ words: ["relayers", "status"], names: [relayers] }),
  },
  {
    name: "doctor",
    description: "Check the service and its relayers: each problem with its severity and the command that fixes it.",
    parameters: { relayers: RELAYERS, only: listParameter("Codes of checks, e.g. REL-DISABLED (default: all)") },
    line: ({ relayers, only }) => ({ words: ["doctor", ...flag("only", only)], names: [relayers] }),
  },
  {
    name: "find",
    description: "Find a hash, ID, nonce, address, @label, or name at the service and in the journal.",
    parameters: { thing: textParameter("What to find") },
    required: ["thing"],
    line: ({ thing }) => ({ words: ["find"], names: [thing] }),
  },
  {
    name: "get",
    description: "One resource.",
    parameters: {
      kind: choiceParameter("relayer", "transaction", "notification", "signer", "network", "plugin"),
      id: textParameter("Its ID"),
      relayer: textParameter("Relayer ID of a transaction (default: looked up)"),
      on_chain: { type: "boolean", description: "Compare a transaction with the chain" },
    },
    required: ["kind", "id"],
    line: ({ kind, id, relayer, on_chain }) =>
      kind === "transaction"
        ? { words: ["tx", "get", ...flag("on-chain", on_chain)], names: [relayer, id] }
        : { words: [`${kind}s`, "get"], names: [id] },
  },
  {
    name: "wait",
    description: "Wait for transactions of a relayer; after the time it returns what is known (exit_code 15: pending).",
    parameters: {
      relayer: RELAYER,
      transactions: listParameter("Transaction IDs"),
      for: choiceParameter("broadcast", "mined", "confirmed", "final"),
      seconds: { type: "integer", minimum: 1, maximum: LONGEST_WAIT_SECONDS },
    },
    required: ["relayer", "transactions"],
    line: ({ relayer, transactions, seconds = LONGEST_WAIT_SECONDS, ...given }) => ({
      words: ["tx", "wait", ...flag("for", given.for), `--deadline=${seconds}s`],
      names: [relayer, transactions],
    }),
  },
  {
    name: "stuck",
    description: "Transactions that wait too long, why, and the command that helps.",
    parameters: { relayers: RELAYERS, older: textParameter("Pending for longer than this, e.g. 10m") },
    line: ({ relayers, older }) => ({ words: ["tx", "stuck", ...flag("older", older)], names: [relayers] }),
  },
  {
    name: "plan",
    description: "How the service differs from files (exit_code 20: it differs). Sends no change.",
    parameters: { files: listParameter("Files below the working directory (default: the files of the project file)") },
    line: ({ files }) => ({ words: ["plan", ...[files ?? []].flat().map((file) => `--file=${file}`)] }),
  },
  {
    name: "history",
    description: "Recorded writes, newest first, or one run of them with its requests.",
    parameters: {
      relayer: RELAYER,
      transaction: TRANSACTION,
      operation: textParameter("e.g. relayers.update"),
      applied: choiceParameter("yes", "no", "unknown"),
      since: textParameter("e.g. 24h"),
      run: textParameter("Show this run instead"),
    },
    line: ({ run, relayer, transaction, operation, applied, since }) =>
      run === undefined
        ? {
            words: [
              ...["history", "list", ...flag("relayer", relayer), ...flag("tx", transaction)],
              ...[...flag("operation", operation), ...flag("applied", applied), ...flag("since", since)],
            ],
          }
        : { words: ["history", "show"], names: [run] },
  },
];

const NOT_SENT = "Sends nothing: returns a proposal, which the user approves on a terminal with `relayctl approve ID`.";

const PROPOSALS: readonly Tool[] = [
  {
    name: "propose_send",
    description: "Propose a transaction.",
    parameters: {
      relayer: RELAYER,
      to: textParameter("Address or @label"),
      value: textParameter("Amount with its unit, e.g. 0.1eth"),
      data: textParameter("Call data in hex"),
      speed: SPEED,
    },
    required: ["relayer", "to", "value"],
    line: ({ relayer, to, value, data, speed = "fast" }) => ({
      words: ["tx", "send", ...flag("to", to), ...flag("value", value), ...flag("data", data), ...flag("speed", speed)],
      names: [relayer],
    }),
  },
  {
    name: "propose_bump",
    description: "Propose to send a pending transaction again at a higher fee.",
    parameters: { relayer: RELAYER, transaction: TRANSACTION, speed: SPEED },
    required: ["relayer", "transaction"],
    line: ({ relayer, transaction, speed }) => ({
      words: ["tx", "bump", ...flag("speed", speed)],
      names: [relayer, transaction],
    }),
  },
  {
    name: "propose_cancel",
    description: "Propose to cancel a pending transaction.",
    parameters: { relayer: RELAYER, transaction: TRANSACTION },
    required: ["relayer", "transaction"],
    line: ({ relayer, transaction }) => ({ words: ["tx", "cancel"], names: [relayer, transaction] }),
  },
  {
    name: "propose_state",
    description: "Propose to pause or resume a relayer.",
    parameters: { relayer: RELAYER, state: choiceParameter("pause", "resume") },
    required: ["relayer", "state"],
    line: ({ relayer, state }) => ({ words: ["relayers", String(state)], names: [relayer] }),
  },
  {
    name: "propose_policies",
    description: "Propose new policies of a relayer.",
    parameters: { relayer: RELAYER, policies: listParameter("e.g. gas_price_cap=80gwei") },
    required: ["relayer", "policies"],
    line: ({ relayer, policies }) => ({
      words: ["relayers", "update", ...[policies ?? []].flat().map((policy) => `--policy=${policy}`)],
      names: [relayer],
    }),
  },
];

const WRITES = PROPOSALS.map(
  (tool): Tool => ({ ...tool, description: `${tool.description} ${NOT_SENT}`, proposes: true }),
);

export function toolsFor(allowsWrites: boolean): readonly Tool[] {
  return allowsWrites ? [...READS, ...WRITES] : READS;
}
