import { createHash } from "node:crypto";
import { DEEP } from "../../helpers/deep.ts";
import { type Dialect, interfaceDialect, realDialect } from "../server/service/dialect.ts";
import { type Command, writes } from "./command.ts";
import { apiCommands } from "./commands/api.ts";
import { fleetCommands } from "./commands/fleet.ts";
import { notificationCommands } from "./commands/notifications.ts";
import { otherCommands } from "./commands/others.ts";
import { paymentCommands } from "./commands/payments.ts";
import { relayerCommands } from "./commands/relayers.ts";
import { transactionCommands } from "./commands/transactions.ts";
import { undoCommands } from "./commands/undo.ts";
import type { Fault } from "./fault.ts";
import { differing, IGNORED } from "./faults/differing.ts";
import { fine } from "./faults/fine.ts";
import { lost } from "./faults/lost.ts";
import { alwaysLimited, limited, limitedThenLost, refused } from "./faults/refused.ts";
import { unproven } from "./faults/unproven.ts";
import { unreadable } from "./faults/unreadable.ts";

/** One cell of the truth table. */
export interface Combination {
  name: string;
  command: Command;
  /** One that always happens, or one for each request in turn. */
  faults: readonly Fault[];
  circumstances: Setting;
}

/** What a combination does not depend on in truth, and the program might. */
interface Setting {
  dialect: Dialect;
  routes: boolean;
  retries: number;
  json: boolean;
}

export const commands: readonly Command[] = [
  ...relayerCommands,
  ...transactionCommands,
  ...paymentCommands,
  ...notificationCommands,
  ...otherCommands,
  ...apiCommands,
  ...undoCommands,
  ...fleetCommands,
];

const SINGLE: readonly (readonly Fault[])[] = [fine, lost, unreadable, refused, limited, differing, ...unproven]
  .flat()
  .map((fault) => [fault]);

const SERVICES = [
  { dialect: interfaceDialect, routes: false },
  { dialect: realDialect, routes: true },
  { dialect: interfaceDialect, routes: true },
];

const SETTINGS: readonly Setting[] = [0, 2].flatMap((retries) =>
  [true, false].flatMap((json) => SERVICES.map((service) => ({ ...service, retries, json }))),
);

/** How many of each kind of unproven refusal a command meets on average. */
const OF_A_KIND = 2;

/** Which part of all other faults a command meets. */
const ONE_IN = 6;

/** The commands that meet an unproven refusal: chosen by their names, so that a new command replaces at most one of them. */
const UNPROVEN: ReadonlyMap<Fault, readonly Command[]> = new Map(
  unproven.flatMap((kind) =>
    kind.map((fault) => {
      const place = (command: Command) => numberOf(`${fault.name} in ${command.name}`);
      const all = commands.filter((command) => writes(command) && !isPointless(command, fault));
      const count = Math.ceil((OF_A_KIND * all.length) / kind.length);
      return [fault, all.sort((one, other) => place(one) - place(other)).slice(0, count)] as const;
    }),
  ),
);

/**
 * Returns every combination in a deep run, and else a part of them, which follows from the names and not from the order: a new
 * command leaves the parts of the others as they are.
 */
export function combinationsToRun(command: Command): Combination[] {
  const all = combinationsOf(command);
  if (DEEP) return all;
  const place = numberOf(command.name) % ONE_IN;
  return all.filter(({ faults: [fault] }, index) => {
    if (!fault || (command.outwaits && alwaysLimited.includes(fault))) return false;
    return UNPROVEN.get(fault)?.includes(command) ?? index % ONE_IN === place;
  });
}

/** Returns every fault of a command; the settings take turns, and which is first follows from the command's name. */
export function combinationsOf(command: Command): Combination[] {
  const offset = numberOf(`settings of ${command.name}`);
  const settings = SETTINGS.filter(({ routes }) => routes || !command.needsRoutes);
  return faultsOf(command).map((faults, index) => {
    const circumstances = settings[(index * 5 + offset) % settings.length] ?? settings[0];
    if (!circumstances) throw new Error("there are no settings");
    return { name: nameOf(command, faults, circumstances), command, faults, circumstances };
  });
}

/** Returns a number that depends on the name alone, for an even choice that stays the same. */
export function numberOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE();
}

function faultsOf(command: Command): (readonly Fault[])[] {
  const other = writes(command) ? "reads" : "writes";
  const single = SINGLE.filter(([fault]) => fault?.only !== other && !isPointless(command, fault));
  return command.kind === "read" ? single : [...single, ...limitedThenLost];
}

/** A fault that shows only to whoever looks into the reply, in a command that does not or cannot. */
function isPointless({ kind, unvalidated, mute }: Command, fault: Fault | undefined): boolean {
  if (mute && fault?.name === IGNORED) return true;
  if (!unvalidated) return false;
  return fault?.validated === "by anyone" ? kind === "read" : fault?.validated === "by its shape";
}

function nameOf({ name }: Command, faults: readonly Fault[], { dialect, routes, retries, json }: Setting): string {
  const service = `${dialect.name} dialect${routes ? "" : " without routes by id"}`;
  return `${name} | ${faults.map((fault) => fault.name).join(", ")} | ${service}, --retries ${retries}${json ? ", -o json" : ""}`;
}
