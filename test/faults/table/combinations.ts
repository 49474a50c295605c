import { DEEP } from "../../helpers/deep.ts";
import { type Dialect, interfaceDialect, realDialect } from "../server/service/dialect.ts";
import { type Command, writes } from "./command.ts";
import { apiCommands } from "./commands/api.ts";
import { notificationCommands } from "./commands/notifications.ts";
import { otherCommands } from "./commands/others.ts";
import { relayerCommands } from "./commands/relayers.ts";
import { transactionCommands } from "./commands/transactions.ts";
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
  ...notificationCommands,
  ...otherCommands,
  ...apiCommands,
];

const allWrites = commands.filter(writes);

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

/** How many of each kind of unproven refusal a command meets. */
const OF_A_KIND = 2;

/** Each fault meets one command of so many, and each command one fault of so many. */
const ONE_IN = 6;

/**
 * Returns every combination in a deep run, and else an even part of them: of each kind of unproven refusal some, which take turns
 * over the commands, and one in six of the rest, moved by one place every six commands so that each fault meets all settings.
 */
export function combinationsToRun(command: Command): Combination[] {
  const all = combinationsOf(command);
  if (DEEP) return all;
  const at = commands.indexOf(command);
  return all.filter(({ faults: [fault] }, index) => {
    if (command.outwaits && fault && alwaysLimited.includes(fault)) return false;
    const kind = unproven.find((kind) => fault && kind.includes(fault));
    if (!kind || !fault) return (index + at + Math.floor(at / ONE_IN)) % ONE_IN === 0;
    const turns = Math.ceil(kind.length / OF_A_KIND);
    return kind.indexOf(fault) % turns === allWrites.indexOf(command) % turns;
  });
}

/** Every fault of a command; the settings take turns, so that each fault meets all of them over the commands. */
export function combinationsOf(command: Command): Combination[] {
  const offset = commands.indexOf(command);
  const settings = SETTINGS.filter(({ routes }) => routes || !command.needsRoutes);
  return faultsOf(command).map((faults, index) => {
    const circumstances = settings[(index * 5 + offset) % settings.length] ?? settings[0];
    if (!circumstances) throw new Error("there are no settings");
    return { name: nameOf(command, faults, circumstances), command, faults, circumstances };
  });
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
