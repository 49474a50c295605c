import type { AskedInContext, Call } from "../../command-support/call.ts";
import { messageWriter } from "../../command-support/printing.ts";
import { whyNoPrompt } from "../../command-support/prompting/prompts.ts";
import { withoutConsent } from "../../command-support/repeated-command.ts";
import { grouped } from "../../contract/decimal.ts";
import { canceled, notConfirmed, type RelayctlError, unsent } from "../../errors.ts";

/** The consent to the writes of several contexts, requested once all of them know their targets. */
interface Consent {
  /** Resolves to whether the user was prompted. @throws RelayctlError declined; interrupted */
  agree(name: string, asked: AskedInContext): Promise<boolean>;
  ended(name: string, error: RelayctlError | undefined): void;
}

export function createConsent(call: Call, names: readonly string[]): Consent {
  const asked = new Map<string, AskedInContext>();
  const unread = new Map<string, RelayctlError>();
  const arrived = new Set<string>();
  let decide: (decision: Promise<boolean>) => void = () => {};
  const decision = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  const arrive = (name: string) => {
    const isNew = !arrived.has(name);
    arrived.add(name);
    if (isNew && arrived.size === names.length) decide(ask(call, { asked, unread, names }));
  };
  // A context that ended before its question does not wait for it.
  decision.catch(() => {});
  return {
    async agree(name, question) {
      asked.set(name, question);
      arrive(name);
      return await question.session.pausing(decision);
    },
    ended(name, error) {
      if (error && !asked.has(name)) unread.set(name, error);
      arrive(name);
    },
  };
}

interface Asked {
  asked: ReadonlyMap<string, AskedInContext>;
  /** The contexts whose relayers could not be read. */
  unread: ReadonlyMap<string, RelayctlError>;
  names: readonly string[];
}

async function ask(call: Call, { asked, unread, names }: Asked): Promise<boolean> {
  const { app, common, argv } = call;
  if (app.interrupt.aborted) throw canceled("interrupted");
  const contexts = names.flatMap((name) => asked.get(name) ?? []);
  if (!contexts.some(({ isNeeded }) => isNeeded)) return false;
  const count = contexts.reduce((sum, each) => sum + each.count, 0);
  const guarded = contexts.flatMap(({ session }) => (session.protected ? session.name : []));
  const relayers = count === 1 ? "1 relayer" : `${grouped(count)} relayers`;
  const [{ verb } = { verb: "change" }] = contexts;
  const targets = `${relayers} in ${names.filter((name) => asked.has(name)).join(", ")}`;
  const missing = [...unread].map(([name, error]) => `${name} could not be read, and stays as it is: ${error.message}`);
  if (isConfirmed(common.confirm, count, guarded)) return false;
  const why = common.confirm === undefined ? whyNoPrompt(app, common) : "--confirm does not match";
  if (why !== undefined) {
    throw unsent("declined", `${verb.replace(/e$/, "ing")} ${targets} requires confirmation, and ${why}`, {
      because: missing,
      repeat: { argv: withoutConsent(argv), added: ["--confirm", [String(count), ...guarded].join(",")] },
    });
  }
  const say = messageWriter(app, { color: common.color }, () => guarded[0]);
  for (const line of [...contexts.flatMap(({ lines }) => lines), ...missing]) await say(line);
  const prompts = await app.prompts({ color: common.color });
  const questions = [
    [`${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${targets}?`, String(count)],
    ...guarded.map((name) => [`Context ${name} is protected.`, name]),
  ];
  for (const [question = "", word = ""] of questions) {
    const typed = await prompts.text(`${question} Type "${word}" to confirm:`, { isConsent: true });
    if (typed !== word) throw notConfirmed(typed, word);
  }
  return true;
}

function isConfirmed(given: string | undefined, count: number, guarded: readonly string[]): boolean {
  const [number = "", ...names] = given?.split(",").map((word) => word.trim()) ?? [];
  const isNumber = number === String(count) || number === (count === 1 ? "1 relayer" : `${count} relayers`);
  return isNumber && names.length === guarded.length && guarded.every((name) => names.includes(name));
}
