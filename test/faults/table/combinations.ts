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

export interface Combination {
  name: string;
  command: Command;
  /** A fault that always happens, or a fault for each request in turn. */
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

/** How many of each kind of unproven refusal two commands meet on average. */
const OF_A_KIND = 1;

/** Which part of all commands meets another fault. */
const ONE_IN = 224;

/** How many faults each command meets at least. */
const LEAST = 3;

/** Returns every combination in a deep run, otherwise a part, chosen by name: each fault meets some commands, and vice versa. */
export function combinationsToRun(command: Command): Combination[] {
  const all = combinationsOf(command);
  if (DEEP) return all;
  const endless = (fault: Fault | undefined) => fault !== undefined && alwaysLimited.includes(fault);
  const quick = command.outwaits ? all.filter(({ faults: [fault] }) => !endless(fault)) : all;
  const [met = [], others = []] = [true, false].map((isMet) =>
    quick.filter(({ faults }) => SAMPLE.get(titleOf(faults))?.has(command.name) === isMet),
  );
  return [...met, ...inOrderOfChance(others, ({ name }) => name).slice(0, Math.max(0, LEAST - met.length))];
}

/** The names of the commands that meet each fault. */
const SAMPLE: ReadonlyMap<string, ReadonlySet<string>> = sampled();

function sampled() {
  const parts = new Map(unproven.flatMap((kind) => kind.map(({ name }) => [name, OF_A_KIND / kind.length / 2])));
  const meeting = new Map<string, string[]>();
  for (const command of commands)
    for (const title of faultsOf(command).map(titleOf))
      meeting.set(title, [...(meeting.get(title) ?? []), command.name]);
  return new Map(
    [...meeting].map(([title, names]) => {
      const count = Math.ceil(names.length * (parts.get(title) ?? 1 / ONE_IN));
      return [title, new Set(inOrderOfChance(names, (name) => `${title} in ${name}`).slice(0, count))];
    }),
  );
}

function inOrderOfChance<T>(all: readonly T[], nameOfOne: (one: T) => string): T[] {
  const numbered = all.map((one) => [numberOf(nameOfOne(one)), one] as const);
  return numbered.sort(([one], [other]) => one - other).map(([, one]) => one);
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

/** Returns a number that only depends on the name, for an even choice that stays the same. */
export function numberOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE();
}

function faultsOf(command: Command): (readonly Fault[])[] {
  const other = writes(command) ? "reads" : "writes";
  const single = SINGLE.filter(([fault]) => fault?.only !== other && !isPointless(command, fault));
  return command.kind === "read" ? single : [...single, ...limitedThenLost];
}

/** A fault that only shows in the response, in a command that doesn't or can't read it. */
function isPointless({ kind, unvalidated, mute }: Command, fault: Fault | undefined): boolean {
  if (mute && fault?.name === IGNORED) return true;
  if (!unvalidated) return false;
  return fault?.validated === "by anyone" ? kind === "read" : fault?.validated === "by its shape";
}

function titleOf(faults: readonly Fault[]): string {
  return faults.map(({ name }) => name).join(", ");
}

function nameOf({ name }: Command, faults: readonly Fault[], { dialect, routes, retries, json }: Setting): string {
  const service = `${dialect.name} dialect${routes ? "" : " without routes by id"}`;
  return `${name} | ${titleOf(faults)} | ${service}, --retries ${retries}${json ? ", -o json" : ""}`;
}
